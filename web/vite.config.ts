import { defineConfig } from "vite";

// The page lies inside the Python package, which serves it; nothing is fetched from anywhere else.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../src/cupola/cockpit/page",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 8192,
    chunkSizeWarningLimit: 1500,
    license: { fileName: "licenses.md" },
  },
  server: { proxy: { "/scene.json": "http://127.0.0.1:8000", "/curves": "http://127.0.0.1:8000", "/flight.html": "http://127.0.0.1:8000", "/ws": { target: "ws://127.0.0.1:8000", ws: true } } },
});
