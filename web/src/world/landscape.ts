// Sky, ground with its grid, and sunlight.

import * as THREE from "three";

import { dice } from "./scenery";

/** [m] that can be seen. */
export const FAR = 6000;
const SHADOW_PIXELS = 1024;

/** How strongly the grid is drawn on grass, and on the floor of a hall. */
const [GRID_ON_GRASS, GRID_IN_HALL] = [0.22, 1];
/** Near those of the cameras' grass, in build/scenery.py. */
const GRASS = ["#5b7742", "#728c52", "#9a9560"] as const;
const NIGHT = 0.42;
/** Where no air scatters the light of the sun. */
const SPACE: Palette = { zenith: "#04060c", horizon: "#04060c", ground: "#303b49", line: "#62768f", sun: 2.6, shade: 0.9 };

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
/** One cell of the sky in some hundreds has a star in its middle. */
const SKY_FRAGMENT = `uniform vec3 zenith; uniform vec3 horizon; uniform float stars; varying vec3 way;
void main() {
  vec3 along = normalize(way);
  gl_FragColor = vec4(mix(horizon, zenith, sqrt(clamp(along.z, 0.0, 1.0))), 1.0);
  if (stars > 0.0) {
    vec3 place = along * 110.0;
    float lot = fract(sin(dot(floor(place), vec3(12.9898, 78.233, 37.719))) * 43758.5453);
    float near = smoothstep(0.3, 0.1, length(fract(place) - 0.5));
    gl_FragColor.rgb += near * smoothstep(0.985, 1.0, lot) * stars;
  }
  #include <colorspace_fragment>
}`;
const UNIFORMS = `varying vec2 place_w; uniform vec3 grid_color; uniform float grid_strength;
uniform vec3 grass_dark; uniform vec3 grass_light; uniform vec3 grass_dry;
uniform sampler2D noise_map; uniform sampler2D floor_map; uniform vec2 floor_repeat;
`;
/** Grass in patches of many sizes, or the floor's own texture; `COVER` 0 is a bare floor. */
const COVER = `
#if COVER == 2
  diffuseColor.rgb = texture2D(floor_map, place_w * floor_repeat).rgb;
#elif COVER == 1 && defined(MODEST)
  float tufts = texture2D(noise_map, place_w / 43.0).r;
  diffuseColor.rgb = mix(grass_dark, grass_light, tufts) * (0.83 + 0.34 * tufts);
#elif COVER == 1
  float patches = texture2D(noise_map, place_w / 170.0 + 0.37).r;
  float fields = texture2D(noise_map, place_w / 1900.0).r;
  float tufts = texture2D(noise_map, place_w / 11.0).r;
  vec3 grass = mix(grass_dark, grass_light, smoothstep(0.25, 0.75, 0.45 * patches + 0.55 * tufts));
  diffuseColor.rgb = mix(grass, grass_dry, 0.75 * smoothstep(0.5, 0.72, fields)) * (0.86 + 0.28 * patches);
#endif
`;
/** Lines each 1, 10 and 100 m, faded where they become finer than a pixel; software draws one of the three. */
const GRID = `
#ifdef MODEST
  vec2 width = fwidth(place_w);
  float wide = max(width.x, width.y);
  float size = wide < 0.2 ? 1.0 : wide < 2.0 ? 10.0 : 100.0;
  vec2 gap = abs(fract(place_w / size - 0.5) - 0.5) * size / width;
  float strength = clamp(1.0 - min(gap.x, gap.y), 0.0, 1.0) * clamp(1.2 - 2.7 * wide / size, 0.0, 1.0)
    * (size == 1.0 ? 0.35 : 0.75) * grid_strength;
#else
  float strength = 0.0;
  for (int k = 0; k < 3; k++) {
    float size = k == 0 ? 1.0 : k == 1 ? 10.0 : 100.0;
    vec2 place = place_w / size;
    vec2 width = fwidth(place);
    vec2 gap = abs(fract(place - 0.5) - 0.5) / max(width, vec2(1e-6));
    float line = 1.0 - min(min(gap.x, gap.y), 1.0);
    float fade = 1.0 - smoothstep(0.08, 0.45, max(width.x, width.y));
    strength = max(strength, line * fade * (k == 0 ? 0.35 : 0.75) * grid_strength);
  }
#endif
  diffuseColor.rgb = mix(diffuseColor.rgb, grid_color, strength);
`;
/** Level ground in sunlight: the same light in every pixel, where the shadows are not. */
const EVEN_LIGHT = `
  float lit = 1.0;
#if defined(USE_SHADOWMAP) && NUM_DIR_LIGHT_SHADOWS > 0
  DirectionalLightShadow sunShadow = directionalLightShadows[0];
  lit = getShadow(directionalShadowMap[0], sunShadow.shadowMapSize, sunShadow.shadowIntensity, sunShadow.shadowBias,
    sunShadow.shadowRadius, vDirectionalShadowCoord[0]);
#endif
  reflectedLight.directDiffuse = diffuseColor.rgb * (shade_light + lit * sun_light);
`;

export class Landscape {
  readonly root = new THREE.Group();
  readonly fog = new THREE.Fog("#ffffff", 60, 1500);
  readonly sun = new THREE.DirectionalLight("#fff6e8");
  private readonly shade = new THREE.HemisphereLight("#dfeaff", "#8a8f98");
  private readonly zenith = { value: new THREE.Color() };
  private readonly horizon = { value: new THREE.Color() };
  private readonly line = { value: new THREE.Color() };
  private readonly grass = GRASS.map((color) => ({ value: new THREE.Color(color) }));
  private ownSky = true;
  private readonly stars = { value: 0 };
  private airless = false;
  private readonly gridStrength = { value: GRID_IN_HALL };
  private readonly sunLight = { value: new THREE.Color() };
  private readonly shadeLight = { value: new THREE.Color() };
  private readonly floorRepeat = { value: new THREE.Vector2(1, 1) };
  private readonly noise = { value: makeNoise() };
  private readonly floorMap: { value: THREE.Texture } = { value: this.noise.value };
  /** Where the sun stands, from what is looked at. */
  private readonly sunward = new THREE.Vector3(-1.3, 0.4, 2);
  private readonly ground = this.makeGround();
  private readonly sky = this.makeSky();
  private readonly dark: MediaQueryList;
  private exists = true;
  private wanted = true;

  /** `modest`: there is no graphics card, so that each pixel of the ground is worth less work. */
  constructor(private readonly modest: boolean) {
    const pixels = modest ? SHADOW_PIXELS / 2 : SHADOW_PIXELS;
    if (modest) this.ground.material.defines!.MODEST = "";
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(pixels, pixels);
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.01;
    this.root.add(this.sky, this.ground, this.sun, this.sun.target, this.shade);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    this.dark = dark;
    dark.addEventListener("change", () => this.paint());
    this.paint();
  }

  /** Whether there is air: without any the sky is black by day, too. */
  set hasAir(air: boolean) {
    this.airless = !air;
    this.paint();
  }

  get hasGround(): boolean {
    return this.exists;
  }

  /** Neither sky nor ground, only light. */
  set isBare(bare: boolean) {
    this.sky.visible = !bare && this.ownSky;
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

  /** What lies on the ground: nothing, grass of this page, or a texture of the model laid so often per metre. */
  set cover(cover: "bare" | "grass" | { texture: THREE.Texture; x: number; y: number }) {
    const laid = typeof cover === "object";
    this.ground.material.defines!.COVER = laid ? 2 : cover === "grass" ? 1 : 0;
    this.ground.material.needsUpdate = true;
    this.gridStrength.value = cover === "bare" ? GRID_IN_HALL : GRID_ON_GRASS;
    this.floorMap.value = laid ? cover.texture : this.noise.value;
    if (laid) this.floorRepeat.value.set(cover.x, cover.y);
  }

  /** Whether the page's own sky gives way to that of the model. */
  set skyHidden(hidden: boolean) {
    this.ownSky = !hidden;
    this.sky.visible = this.ownSky;
  }

  /** The sun of the model shines along a direction; null: the page's own. */
  set sunAlong(way: readonly [number, number, number] | null) {
    if (way && way[2] < -0.1) this.sunward.set(-way[0], -way[1], -way[2]).multiplyScalar(2.4);
    else this.sunward.set(-1.3, 0.4, 2);
  }

  /** Light and ground go with what is looked at; `reach` [m] is how far shadows matter, `height` [m] the viewer's. */
  follow({ x, y, z }: THREE.Vector3, reach: number, height: number): void {
    this.sun.target.position.set(x, y, z);
    this.sun.position.copy(this.sunward).multiplyScalar(reach).add(this.sun.target.position);
    const box = this.sun.shadow.camera;
    if (Math.abs(box.right / reach - 1) > 0.1) {
      Object.assign(box, { left: -reach, right: reach, bottom: -reach, top: reach, near: 0.1, far: 6 * reach + 60 });
      box.updateProjectionMatrix();
    }
    this.shineOnLevel();
    this.ground.position.set(Math.round(x / 100) * 100, Math.round(y / 100) * 100, 0);
    this.fog.near = Math.max(120, 8 * height);
    this.fog.far = Math.min(0.9 * FAR, Math.max(1200, 30 * height));
  }

  /** What sun and sky give to level ground, as three.js computes it in each pixel. */
  private shineOnLevel(): void {
    const slant = this.sunward.z / this.sunward.length();
    this.sunLight.value.copy(this.sun.color).multiplyScalar((this.sun.intensity * slant) / Math.PI);
    this.shadeLight.value.copy(this.shade.color).multiplyScalar(this.shade.intensity / Math.PI);
  }

  private paint(): void {
    const colors = this.airless ? SPACE : this.dark.matches ? DUSK : DAY;
    this.stars.value = this.airless ? 1 : 0;
    this.zenith.value.set(colors.zenith);
    this.horizon.value.set(colors.horizon);
    this.ground.material.color.set(colors.ground);
    this.line.value.set(colors.line);
    this.fog.color.set(colors.horizon);
    const light = colors === DUSK ? NIGHT : 1;
    GRASS.forEach((color, k) => this.grass[k]!.value.set(color).multiplyScalar(light));
    this.sun.intensity = colors.sun;
    this.shade.intensity = colors.shade;
  }

  private makeSky(): THREE.Mesh {
    const material = new THREE.ShaderMaterial({
      uniforms: { zenith: this.zenith, horizon: this.horizon, stars: this.stars },
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
    material.defines = { COVER: 0 };
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, {
        grid_color: this.line,
        grid_strength: this.gridStrength,
        sun_light: this.sunLight,
        shade_light: this.shadeLight,
        grass_dark: this.grass[0],
        grass_light: this.grass[1],
        grass_dry: this.grass[2],
        noise_map: this.noise,
        floor_map: this.floorMap,
        floor_repeat: this.floorRepeat,
      });
      const place = "#include <begin_vertex>\nplace_w = (modelMatrix * vec4(position, 1.0)).xy;";
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nvarying vec2 place_w;")
        .replace("#include <begin_vertex>", place);
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", `#include <common>\n${UNIFORMS}`)
        .replace("#include <color_fragment>", `#include <color_fragment>\n${COVER}${GRID}`);
      if (!this.modest) return;
      shader.fragmentShader = ["begin", "maps", "end"].reduce(
        (text, part) => text.replace(`#include <lights_fragment_${part}>`, part === "begin" ? EVEN_LIGHT : ""),
        shader.fragmentShader.replace(UNIFORMS, `${UNIFORMS}uniform vec3 sun_light; uniform vec3 shade_light;\n`),
      );
    };
    const ground = new THREE.Mesh(new THREE.PlaneGeometry(2 * FAR, 2 * FAR), material);
    ground.receiveShadow = true;
    ground.renderOrder = -1;
    return ground;
  }
}

/** Smooth noise that repeats at its edges: waves of rising frequency, the same each time. */
function makeNoise(): THREE.DataTexture {
  const edge = 128;
  const pixels = new Uint8Array(4 * edge * edge);
  const roll = dice(7);
  const waves = Array.from({ length: 48 }, () => {
    const [u, v] = [Math.round(24 * (roll() - 0.5)), Math.round(24 * (roll() - 0.5))];
    return { u, v, phase: 2 * Math.PI * roll(), weight: 1 / (2 + Math.hypot(u, v)) };
  });
  const sum = Math.sqrt(waves.reduce((total, { weight }) => total + weight ** 2, 0));
  for (let k = 0; k < edge * edge; k++) {
    const [x, y] = [(k % edge) / edge, Math.floor(k / edge) / edge];
    let level = 0;
    for (const { u, v, phase, weight } of waves) level += weight * Math.sin(2 * Math.PI * (u * x + v * y) + phase);
    pixels.fill(Math.max(0, Math.min(255, 128 + (95 * level) / sum)), 4 * k, 4 * k + 4);
  }
  const noise = new THREE.DataTexture(pixels, edge, edge);
  noise.wrapS = noise.wrapT = THREE.RepeatWrapping;
  noise.magFilter = THREE.LinearFilter;
  noise.minFilter = THREE.LinearMipmapLinearFilter;
  noise.generateMipmaps = true;
  noise.needsUpdate = true;
  return noise;
}
