// Sky, ground with its grid, and sunlight.

import * as THREE from "three";

/** [m] that can be seen. */
export const FAR = 6000;
const SHADOW_PIXELS = 1024;

interface Palette {
  zenith: string;
  horizon: string;
  ground: string;
  line: string;
  sun: number;
  shade: number;
}
const DAY: Palette = {
  zenith: "#8fb8e8",
  horizon: "#e6edf5",
  ground: "#c9d0d8",
  line: "#7d8b9c",
  sun: 2.2,
  shade: 1.4,
};
const DUSK: Palette = { zenith: "#13233a", horizon: "#44566e", ground: "#303b49", line: "#62768f", sun: 2, shade: 1.8 };

const SKY_VERTEX = `varying vec3 way;
void main() {
  way = position;
  gl_Position = projectionMatrix * vec4(mat3(viewMatrix) * position, 1.0);
  gl_Position.z = gl_Position.w;
}`;
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

export class Landscape {
  readonly root = new THREE.Group();
  readonly fog = new THREE.Fog("#ffffff", 60, 1500);
  readonly sun = new THREE.DirectionalLight("#fff6e8");
  private readonly shade = new THREE.HemisphereLight("#dfeaff", "#8a8f98");
  private readonly zenith = { value: new THREE.Color() };
  private readonly horizon = { value: new THREE.Color() };
  private readonly line = { value: new THREE.Color() };
  private readonly ground = this.makeGround();
  private readonly sky = this.makeSky();
  private exists = true;
  private wanted = true;

  constructor() {
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(SHADOW_PIXELS, SHADOW_PIXELS);
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.01;
    this.root.add(this.sky, this.ground, this.sun, this.sun.target, this.shade);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.paint(dark.matches ? DUSK : DAY));
    this.paint(dark.matches ? DUSK : DAY);
  }

  /** Neither sky nor ground, only light. */
  set isBare(bare: boolean) {
    this.sky.visible = !bare;
    this.ground.visible = !bare && this.exists && this.wanted;
  }

  /** Whether the world has a ground at all. */
  set hasGround(exists: boolean) {
    this.exists = exists;
    this.ground.visible = this.exists && this.wanted;
  }

  /** Whether people want to see it. */
  set showsGround(wanted: boolean) {
    this.wanted = wanted;
    this.ground.visible = this.exists && this.wanted;
  }

  /** Light and ground go with what is looked at; `reach` [m] is how far shadows matter, `height` [m] the viewer's. */
  follow({ x, y, z }: THREE.Vector3, reach: number, height: number): void {
    this.sun.target.position.set(x, y, z);
    this.sun.position.set(x - 1.3 * reach, y + 0.4 * reach, z + 2 * reach);
    const box = this.sun.shadow.camera;
    if (Math.abs(box.right / reach - 1) > 0.1) {
      Object.assign(box, { left: -reach, right: reach, bottom: -reach, top: reach, near: 0.1, far: 6 * reach + 60 });
      box.updateProjectionMatrix();
    }
    this.ground.position.set(Math.round(x / 100) * 100, Math.round(y / 100) * 100, 0);
    this.fog.near = Math.max(60, 8 * height);
    this.fog.far = Math.min(0.9 * FAR, Math.max(600, 30 * height));
  }

  private paint(colors: Palette): void {
    this.zenith.value.set(colors.zenith);
    this.horizon.value.set(colors.horizon);
    this.ground.material.color.set(colors.ground);
    this.line.value.set(colors.line);
    this.fog.color.set(colors.horizon);
    this.sun.intensity = colors.sun;
    this.shade.intensity = colors.shade;
  }

  private makeSky(): THREE.Mesh {
    const material = new THREE.ShaderMaterial({
      uniforms: { zenith: this.zenith, horizon: this.horizon },
      vertexShader: SKY_VERTEX,
      fragmentShader: SKY_FRAGMENT,
      side: THREE.BackSide,
      depthWrite: false,
    });
    const sky = new THREE.Mesh(new THREE.SphereGeometry(10, 32, 16), material);
    sky.frustumCulled = false;
    sky.renderOrder = -2;
    return sky;
  }

  private makeGround(): THREE.Mesh<THREE.PlaneGeometry, THREE.MeshLambertMaterial> {
    // Drawn first and under everything: the depth of so large a plane is too coarse for what lies on it.
    const material = new THREE.MeshLambertMaterial({ depthWrite: false });
    material.onBeforeCompile = (shader) => {
      shader.uniforms.grid_color = this.line;
      const place = "#include <begin_vertex>\nplace_w = (modelMatrix * vec4(position, 1.0)).xy;";
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec2 place_w;")
        .replace("#include <begin_vertex>", place);
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
