// The 3-D view: the world as the last frame has it.

import type { Frame } from "../frame";
import type { Link } from "../link";
import type { Scene } from "../messages";
import { Bodies } from "./bodies";
import { Hand } from "./hand";
import { Labels } from "./labels";
import { hangLamps, sunOf } from "./lamps";
import { type Overlay, Overlays, SHOWN_FIRST } from "./overlays";
import { Paints } from "./paints";
import { Scenery, seedOf, siteOf } from "./scenery";
import { discard, isGround } from "./shapes";
import { Stage } from "./stage";
import { Views } from "./views";
import { recall, remember } from "../remembered";

const STORE = "cupola.overlays";
const SCENERY = "cupola.scenery";

export class WorldView {
  readonly stage: Stage;
  readonly views: Views;
  readonly hand: Hand;
  readonly wanted: Set<Overlay>;
  private bodies: Bodies | null = null;
  private overlays: Overlays | null = null;
  private paints: Paints | null = null;
  private scenery: Scenery | null = null;
  private readonly labels: Labels;
  private roots: number[] = [];
  private drawn: Frame | null = null;
  private scale = 1;
  private time = 0;

  constructor(
    private readonly link: Link,
    host: HTMLElement,
    pilot: () => boolean,
  ) {
    this.stage = new Stage(host);
    this.labels = new Labels(host);
    this.views = new Views(this.stage);
    this.hand = new Hand(this.stage, this.views, link, pilot, host);
    this.stage.scene.add(this.hand.arrows.root);
    const kept = recall(STORE);
    this.wanted = new Set(kept ? (JSON.parse(kept) as Overlay[]) : SHOWN_FIRST);
    link.on("world", (scene) => this.build(scene));
    link.on("planned", () => this.overlays?.plan());
    link.on("frame", (frame) => this.overlays?.remember(frame));
    link.on("vehicle", () => this.views.restart());
  }

  show(overlay: Overlay, on: boolean): void {
    if (on) this.wanted.add(overlay);
    else this.wanted.delete(overlay);
    remember(STORE, JSON.stringify([...this.wanted]));
    this.overlays?.show(overlay, on);
    this.drawn = null;
  }

  set forceScale(scale: number) {
    this.scale = scale;
    if (this.overlays) this.overlays.forceScale = scale;
  }

  set solidsVisible(on: boolean) {
    if (this.bodies) this.bodies.solidsVisible = on;
  }

  /** The frame that is shown. */
  get shows(): Frame | null {
    return this.drawn;
  }

  /** Everything but drawing; `seconds` since the last picture. */
  update(seconds: number): void {
    if (this.link.frame) this.draw(this.link.frame, seconds);
  }

  /** Put everything where a frame has it. */
  draw(frame: Frame, seconds: number): void {
    const { vehicleInfo, scene } = this.link;
    if (!this.bodies || !this.overlays || !scene) return;
    if (frame !== this.drawn) {
      const time = frame.clock("time");
      const passed = time - this.time;
      this.time = time;
      this.drawn = frame;
      this.bodies.place(frame.get("bodies"));
      if (passed > 0) this.bodies.propellers.turn(frame.get("spins"), Math.min(passed, seconds * 2));
      this.bodies.surfaces.turn(frame);
      this.overlays.update(frame);
    }
    this.views.update(
      this.bodies,
      vehicleInfo?.root ?? 0,
      this.bodies.radii[this.link.vehicle] ?? 1,
      scene.cameras,
      seconds,
    );
    this.hand.update();
    const outside = this.views.view !== "first" && !this.views.view.startsWith("camera");
    this.stage.camera.updateMatrixWorld();
    this.labels.update(
      this.stage,
      frame.get("bodies"),
      this.roots,
      this.bodies.radii,
      this.wanted.has("names"),
      outside ? -1 : this.link.vehicle,
    );
  }

  /** Whether the page's own surroundings are wanted. */
  get showsScenery(): boolean {
    return recall(SCENERY) !== "off";
  }

  set showsScenery(on: boolean) {
    remember(SCENERY, on ? "on" : "off");
    if (this.link.scene) this.dress(this.link.scene);
  }

  /** Ground, sky and lights as the model has them; around them what this page adds. */
  private dress(scene: Scene): void {
    const { landscape } = this.stage;
    const floor = scene.geoms.find(isGround);
    const texture = floor && this.paints?.of(floor);
    const site = this.showsScenery && floor ? siteOf(scene) : "hall";
    if (floor && texture) landscape.cover = { texture, ...this.paints!.repeat(floor) };
    else landscape.cover = site === "hall" ? "bare" : "grass";
    landscape.sunAlong = sunOf(scene);
    if (this.scenery) this.stage.scene.remove(this.scenery.root);
    if (this.scenery) discard(this.scenery.root);
    this.scenery = null;
    this.stage.scenery = null;
    if (site === "hall") return;
    const size = Math.max(0.1, ...this.bodies!.radii);
    this.scenery = new Scenery(scene, seedOf(this.link.hello?.scenario ?? ""), size, this.stage.modest);
    this.stage.scenery = this.scenery.root;
    this.stage.scene.add(this.scenery.root);
  }

  private showSky(paints: Paints): void {
    this.stage.scene.background = null;
    this.stage.landscape.skyHidden = false;
    paints.sky((sky) => {
      if (paints !== this.paints) return;
      this.stage.scene.background = sky;
      this.stage.scene.backgroundRotation.set(Math.PI / 2, 0, 0); // MuJoCo's skies have y up
      this.stage.landscape.skyHidden = true;
    });
  }

  private build(scene: Scene): void {
    for (const old of [this.bodies, this.overlays]) {
      if (!old) continue;
      this.stage.scene.remove(old.root);
      discard(old.root);
    }
    this.paints?.discard();
    this.paints = new Paints(scene);
    this.bodies = new Bodies(scene, this.paints, this.stage.modest, (name) => this.link.signal(name));
    hangLamps(scene, this.bodies.links);
    this.overlays = new Overlays(scene, this.bodies);
    this.overlays.forceScale = this.scale;
    for (const one of [...this.overlays.shown, ...SHOWN_FIRST]) this.overlays.show(one, this.wanted.has(one));
    for (const one of this.wanted) this.overlays.show(one, true);
    const exists = scene.geoms.some(isGround);
    this.stage.landscape.hasGround = exists;
    this.stage.landscape.hasAir = scene.air;
    this.dress(scene);
    this.showSky(this.paints);
    this.labels.build(scene);
    this.roots = scene.vehicles.map(({ root }) => root);
    this.overlays.threads = exists;
    this.hand.world = this.bodies;
    this.stage.scene.add(this.bodies.root, this.overlays.root);
    this.views.restart();
    this.drawn = null;
  }
}
