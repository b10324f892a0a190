// Where the world stands: light, sky, ground with its grid, and the renderer.

import * as THREE from "three";

const FAR = 6000;
const SHADOW_PIXELS = 1024;
/** [ms] between two pictures that are felt as slow. */
const SLOW = 45;
const LEAST_RATIO = 0.5;
const SOFTWARE_RATIO = 0.7;

interface Palette {
  zenith: string;
  horizon: string;
  ground: string;
  line: string;
}
const LIGHT: Palette = { zenith: "#8fb8e8", horizon: "#e6edf5", ground: "#c9d0d8", line: "#7d8b9c" };
const DARK: Palette = { zenith: "#13233a", horizon: "#44566e", ground: "#303b49", line: "#62768f" };

const SKY_VERTEX = `varying vec3 way;
void main() { way = position; gl_Position = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0); gl_Position.z = gl_Position.w; }`;
const SKY_FRAGMENT = `uniform vec3 zenith; uniform vec3 horizon; varying vec3 way;
void main() {
  float up = clamp(normalize(way).z, 0.0, 1.0);
  gl_FragColor = vec4(mix(horizon, zenith, pow(up, 0.55)), 1.0);
  #include <colorspace_fragment>
}`;
/** Lines each 1, 10 and 100 m, faded where they become finer than a pixel. */
const GRID = `
  float strength = 0.0;
  for (int k = 0; k < 3; k++) {
    float size = k == 0 ? 1.0 : k == 1 ? 10.0 : 100.0;
    vec2 place = place_w / size;
    vec2 width = fwidth(place);
    vec2 gap = abs(fract(place - 0.5) - 0.5) / max(width, vec2(1e-6));
    float line = 1.0 - min(min(gap.x, gap.y), 1.0);
    float fade = 1.0 - smoothstep(0.08, 0.45, max(width.x, width.y));
    strength = max(strength, line * fade * (k == 0 ? 0.35 : 0.75));
  }
  diffuseColor.rgb = mix(diffuseColor.rgb, grid_color, strength);
`;

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(50, 1, 0.02, FAR);
  readonly renderer: THREE.WebGLRenderer;
  private readonly sun = new THREE.DirectionalLight("#fff6e8", 2.6);
  private readonly hemisphere = new THREE.HemisphereLight("#dfeaff", "#8a8f98", 1.5);
  private readonly sky: THREE.Mesh<THREE.SphereGeometry, THREE.ShaderMaterial>;
  private readonly plane: THREE.Mesh<THREE.PlaneGeometry, THREE.MeshLambertMaterial>;
  private readonly gridColor = { value: new THREE.Color() };
  private groundExists = true;
  private groundWanted = true;
  private drawn = 0;
  private adapts = true;
  private counted = performance.now();

  constructor(private readonly host: HTMLElement) {
    const software = drawnBySoftware();
    this.renderer = makeRenderer(!software);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = software ? THREE.BasicShadowMap : THREE.PCFShadowMap;
    this.renderer.setPixelRatio(software ? SOFTWARE_RATIO : Math.min(devicePixelRatio, 2));
    this.renderer.domElement.setAttribute("aria-label", "3-D view of the world");
    this.renderer.domElement.tabIndex = 0;
    host.append(this.renderer.domElement);
    this.camera.up.set(0, 0, 1);
    this.sky = this.makeSky();
    this.plane = this.makeGround();
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.01;
    this.scene.fog = new THREE.Fog("#ffffff", 60, 1500);
    this.scene.add(this.sky, this.plane, this.sun, this.sun.target, this.hemisphere);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.paint(dark.matches));
    this.paint(dark.matches);
    new ResizeObserver(() => this.fit()).observe(host);
    this.fit();
  }

  /** Light and ground go with what is looked at; `reach` [m] is how far shadows matter. */
  follow(target: THREE.Vector3, reach: number): void {
    this.sun.target.position.copy(target);
    this.sun.position.set(target.x - reach * 1.3, target.y + reach * 0.4, target.z + reach * 2);
    const box = this.sun.shadow.camera;
    if (Math.abs(box.right / reach - 1) > 0.1) {
      [box.left, box.right, box.bottom, box.top, box.near, box.far] = [-reach, reach, -reach, reach, 0.1, reach * 6 + 60];
      box.updateProjectionMatrix();
    }
    this.plane.position.set(Math.round(target.x / 100) * 100, Math.round(target.y / 100) * 100, 0);
    const fog = this.scene.fog as THREE.Fog;
    fog.near = Math.max(60, this.camera.position.z * 8);
    fog.far = Math.min(FAR * 0.9, Math.max(600, this.camera.position.z * 30));
  }

  set shadows(on: boolean) {
    this.sun.castShadow = on;
  }

  /** Whether the world has a ground at all, and whether people want to see it. */
  set ground({ exists, wanted }: { exists?: boolean; wanted?: boolean }) {
    this.groundExists = exists ?? this.groundExists;
    this.groundWanted = wanted ?? this.groundWanted;
    this.plane.visible = this.groundExists && this.groundWanted;
  }

  draw(): void {
    this.renderer.render(this.scene, this.camera);
    if (this.adapts && ++this.drawn >= 20) this.adapt();
  }

  /** A fixed sharpness [pixels per pixel of the page], for pictures of the page. */
  set sharpness(ratio: number) {
    this.adapts = false;
    this.renderer.setPixelRatio(ratio);
  }

  /** Fewer pixels where pictures come slowly. */
  private adapt(): void {
    const now = performance.now();
    const ratio = this.renderer.getPixelRatio();
    const slow = (now - this.counted) / this.drawn > SLOW && !document.hidden;
    if (slow && ratio > LEAST_RATIO) this.renderer.setPixelRatio(Math.max(LEAST_RATIO, 0.8 * ratio));
    [this.counted, this.drawn] = [now, 0];
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this.host;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setSize(clientWidth, clientHeight);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
  }

  private paint(dark: boolean): void {
    const colors = dark ? DARK : LIGHT;
    this.sky.material.uniforms.zenith!.value.set(colors.zenith);
    this.sky.material.uniforms.horizon!.value.set(colors.horizon);
    this.plane.material.color.set(colors.ground);
    this.gridColor.value.set(colors.line);
    (this.scene.fog as THREE.Fog).color.set(colors.horizon);
    this.sun.intensity = dark ? 2 : 2.2;
    this.hemisphere.intensity = dark ? 1.8 : 1.4;
  }

  private makeSky(): typeof this.sky {
    const uniforms = { zenith: { value: new THREE.Color() }, horizon: { value: new THREE.Color() } };
    const material = new THREE.ShaderMaterial({
      uniforms, vertexShader: SKY_VERTEX, fragmentShader: SKY_FRAGMENT, side: THREE.BackSide, depthWrite: false,
    });
    const sky = new THREE.Mesh(new THREE.SphereGeometry(10, 32, 16), material);
    sky.frustumCulled = false;
    sky.renderOrder = -2;
    return sky;
  }

  private makeGround(): typeof this.plane {
    // Drawn first and under everything: the depth of so large a plane is too coarse for what lies on it.
    const material = new THREE.MeshLambertMaterial({ depthWrite: false });
    material.onBeforeCompile = (shader) => {
      shader.uniforms.grid_color = this.gridColor;
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec2 place_w;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nplace_w = (modelMatrix * vec4(position, 1.0)).xy;");
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", "#include <common>\nvarying vec2 place_w; uniform vec3 grid_color;")
        .replace("#include <color_fragment>", `#include <color_fragment>\n${GRID}`);
    };
    const ground = new THREE.Mesh(new THREE.PlaneGeometry(2 * FAR, 2 * FAR), material);
    ground.receiveShadow = true;
    ground.renderOrder = -1;
    return ground;
  }
}

/** Whether there is no graphics card behind the browser: smooth edges would cost four times the time. */
function drawnBySoftware(): boolean {
  const probe = document.createElement("canvas").getContext("webgl2");
  const about = probe?.getExtension("WEBGL_debug_renderer_info");
  const name = about ? String(probe!.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
  probe?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

function makeRenderer(antialias: boolean): THREE.WebGLRenderer {
  try {
    return new THREE.WebGLRenderer({ antialias, powerPreference: "high-performance" });
  } catch (error) {
    document.body.textContent = "The cockpit draws in 3-D with WebGL 2, which this browser does not offer or has switched off.";
    throw error;
  }
}
