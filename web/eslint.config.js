// Rules for the page: the strict ones of typescript-eslint, which know the types.

import eslint from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  {
    files: ["**/*.ts"],
    extends: [eslint.configs.recommended, tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      // `() => this.show()` as a listener is what nearly every panel is made of, and says what it means.
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // The compiler takes every index for one that may lie outside (noUncheckedIndexedAccess), and `!` is how the loops
      // over poses, signals and vertices say that theirs does not. A `!` that the types do not need is still an error.
      "@typescript-eslint/no-non-null-assertion": "off",
      // Numbers have one way to be text.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    // A browser may refuse both, as in a notebook: `remembered.ts` is how the page remembers.
    files: ["src/**/*.ts"],
    rules: { "no-restricted-globals": ["error", "localStorage", "sessionStorage"] },
  },
);
