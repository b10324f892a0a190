// The renderer and its camera: how sharp and how often the world is drawn.

import * as THREE from "three";

import { FAR, Landscape } from "./landscape";

/** [ms] for a picture that are felt as slow. */
const SLOW = 45;
/** Pictures after which the sharpness is thought over. */
const PICTURES = 20;
const LEAST_RATIO = 0.5;
/** [ms] between two pictures of what rests: textures may have come. */
const SHARP_EVERY = 2000;
const SOFTWARE_RATIO = 0.7;

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(50, 1, 0.02, FAR);
  readonly renderer: THREE.WebGLRenderer;
  readonly landscape: Landscape;
  /** What the page alone draws around a flight. */
  scenery: THREE.Object3D | null = null;
  /** Where the picture is taken from instead, null for where the camera stands. */
  pulled: THREE.Vector3 | null = null;
  /** [px] of the view on the page. */
  width = 1;
  height = 1;
  /** Whether there is no graphics card, so that less is drawn. */
  readonly modest: boolean;
  private drawn = 0;
  /** [ms] when the last sharp picture was drawn, -1: the one that is seen is none; and the sharpness before. */
  private sharpAt = -1;
  private rough = 1;
  private adapts = true;

  constructor(private readonly host: HTMLElement) {
    const software = (this.modest = drawnBySoftware());
    this.landscape = new Landscape(software);
    this.renderer = makeRenderer(!software);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = software ? THREE.BasicShadowMap : THREE.PCFShadowMap;
    this.renderer.setPixelRatio(software ? SOFTWARE_RATIO : Math.min(devicePixelRatio, 2));
    this.renderer.domElement.setAttribute("aria-label", "3-D view of the world");
    this.renderer.domElement.tabIndex = 0;
    host.append(this.renderer.domElement);
    this.camera.up.set(0, 0, 1);
    this.scene.fog = this.landscape.fog;
    this.scene.add(this.landscape.root);
    new ResizeObserver(() => this.fit()).observe(host);
    this.fit();
  }

  /** `took` [ms]: what a picture takes to draw. What `rests` is drawn seldom, but as sharp as the screen is. */
  draw(took: number, rests = false): void {
    if (rests && this.adapts) {
      this.drawSharp();
      return;
    }
    if (this.sharpAt >= 0) this.renderer.setPixelRatio(this.rough);
    this.sharpAt = -1;
    this.render();
    if (this.adapts && ++this.drawn >= PICTURES) this.adapt(took);
  }

  private drawSharp(): void {
    const now = performance.now();
    if (this.sharpAt >= 0 && now - this.sharpAt < SHARP_EVERY) return;
    if (this.sharpAt < 0) {
      this.rough = this.renderer.getPixelRatio();
      this.renderer.setPixelRatio(Math.max(this.rough, Math.min(devicePixelRatio, 2)));
    }
    this.sharpAt = now;
    this.render();
  }

  /** From nearer, where a wall is in the way: the place that people chose is kept. */
  private render(): void {
    const { camera, pulled } = this;
    const chosen = pulled && camera.position.clone();
    if (pulled) camera.position.copy(pulled);
    this.renderer.render(this.scene, camera);
    if (chosen) camera.position.copy(chosen);
  }

  /** The view in any size [pixels]; `bare`: without sky and ground, which leaves their place transparent. */
  picture(width: number, height: number, bare = false): Promise<Blob> {
    const { renderer, camera, scene, landscape } = this;
    const [ratio, aspect] = [renderer.getPixelRatio(), camera.aspect];
    const { fog } = scene;
    renderer.setPixelRatio(1);
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    landscape.isBare = bare;
    if (this.scenery) this.scenery.visible = !bare;
    if (bare) scene.fog = null;
    const { background } = scene;
    if (bare) scene.background = null;
    this.render();
    scene.background = background;
    const made = new Promise<Blob>((done, fail) =>
      renderer.domElement.toBlob((blob) => (blob ? done(blob) : fail(new Error("the picture could not be made")))),
    );
    landscape.isBare = false;
    if (this.scenery) this.scenery.visible = true;
    scene.fog = fog;
    renderer.setPixelRatio(ratio);
    this.fit();
    camera.aspect = aspect;
    camera.updateProjectionMatrix();
    return made;
  }

  /** A fixed sharpness [pixels per pixel of the page], for pictures of the page. */
  set sharpness(ratio: number) {
    this.adapts = false;
    this.renderer.setPixelRatio(ratio);
  }

  /** Fewer pixels where pictures come slowly. */
  private adapt(took: number): void {
    const ratio = this.renderer.getPixelRatio();
    const slow = took > SLOW && !document.hidden;
    if (slow && ratio > LEAST_RATIO) this.renderer.setPixelRatio(Math.max(LEAST_RATIO, 0.8 * ratio));
    this.drawn = 0;
  }

  private fit(): void {
    const { clientWidth, clientHeight } = this.host;
    if (!clientWidth || !clientHeight) return;
    [this.width, this.height] = [clientWidth, clientHeight];
    this.renderer.setSize(clientWidth, clientHeight);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
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
    // With alpha a picture may have no background; on the page the sky covers all of it.
    return new THREE.WebGLRenderer({ antialias, alpha: true, powerPreference: "high-performance" });
  } catch (error) {
    document.body.textContent =
      "The cockpit draws in 3-D with WebGL 2, which this browser does not offer or has switched off.";
    throw error;
  }
}
