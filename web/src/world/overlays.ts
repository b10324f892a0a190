// What is drawn over the bodies: forces, contacts, wind, pressure, laser points, trails, the ghost of the set-point.

import * as THREE from "three";

import type { Frame } from "../frame";
import type { Scene } from "../messages";
import { Arrows } from "./arrows";
import type { Bodies } from "./bodies";
import { Ghosts } from "./ghosts";
import { LaserPoints } from "./laser_points";
import { centre, Marks } from "./marks";
import { Plans } from "./plans";
import { Trails } from "./trails";

export const OVERLAYS = {
  trails: "Trails",
  plan: "Planned path",
  names: "Names",
  ghost: "Set-point",
  forces: "Forces",
  contacts: "Contact forces",
  wind: "Wind",
  lasers: "Laser points",
  mass: "Centres of mass",
  pressure: "Centre of pressure",
  inertia: "Inertia boxes",
  collision: "Collision shapes",
  joints: "Joint axes",
  frames: "Frames x y z",
} as const;
export type Overlay = keyof typeof OVERLAYS;
export const SHOWN_FIRST: Overlay[] = ["trails", "plan", "names", "ghost", "lasers"];

/** Whether a world has what a layer shows. */
export function offers(scene: Scene, layer: Overlay): boolean {
  switch (layer) {
    case "plan":
      return scene.vehicles.some(({ plan, goes }) => plan.length > 0 || goes);
    case "lasers":
      return scene.lasers.length > 0;
    case "wind":
      return scene.air;
    case "pressure":
      return owners(scene).some((vehicle) => vehicle >= 0);
    case "joints":
      return scene.joints.length > 0;
    default:
      return true;
  }
}

/** Vehicle on which the air acts with each row of section `forces`, -1 for none. */
function owners(scene: Scene): number[] {
  return scene.loads.map((load) =>
    scene.air ? scene.vehicles.findIndex(({ name, wheels }) => load.startsWith(`${name}.`) && !wheels.includes(load)) : -1,
  );
}

const GRAVITY = 9.81;
const WIND_SECONDS = 0.12;
const MOST_CONTACTS = 200;

export class Overlays {
  readonly root = new THREE.Group();
  readonly shown = new Set<Overlay>();
  /** Length of a force arrow × what suits the vehicle. */
  forceScale = 1;
  private readonly trails: Trails;
  private readonly plans: Plans;
  private readonly forces: Arrows;
  private readonly contacts: Arrows;
  private readonly wind: Arrows;
  private readonly lasers: LaserPoints;
  private readonly ghosts: Ghosts;
  private readonly pressures: THREE.Mesh[];
  private readonly marks: Marks;
  private readonly metresPerNewton: number;
  private readonly longest: number;
  /** Vehicle on which the air acts with each row of section `forces`, -1 for none. */
  private readonly owners: number[];

  constructor(
    private readonly scene: Scene,
    private readonly bodies: Bodies,
  ) {
    const size = Math.max(0.1, ...bodies.radii);
    const mass = Math.max(0.01, ...scene.vehicles.map((_, k) => vehicleMass(scene, k)));
    this.metresPerNewton = (1.6 * size) / (mass * GRAVITY);
    this.longest = 3 * size;
    this.trails = new Trails(scene.vehicles.map((vehicle) => vehicle.root));
    this.plans = new Plans(scene, bodies.radii);
    this.forces = new Arrows(scene.loads.length, "#0ea5e9", 0.022 * size);
    this.contacts = new Arrows(MOST_CONTACTS, "#ef4444", 0.022 * size);
    this.wind = new Arrows(4 * scene.vehicles.length, "#14b8a6", 0.018 * size);
    this.lasers = new LaserPoints(scene);
    this.ghosts = new Ghosts(scene, bodies);
    this.pressures = scene.vehicles.map(() => centre([0, 0, 0], 0.045 * size, "#22d3ee"));
    const radius = (body: number) => bodies.radii[scene.bodies[body]?.vehicle ?? -1] ?? 0.3;
    this.marks = new Marks(scene, bodies.links, radius, this.root);
    this.owners = owners(scene);
    this.root.add(
      this.trails.root,
      this.plans.root,
      this.forces.root,
      this.contacts.root,
      this.wind.root,
      this.lasers.points,
      this.ghosts.root,
      ...this.pressures,
    );
  }

  /** Whether threads go down to the ground. */
  set threads(on: boolean) {
    this.trails.threads.visible = on;
  }

  show(overlay: Overlay, on: boolean): void {
    if (on) this.shown.add(overlay);
    else this.shown.delete(overlay);
    if (overlay === "collision") this.bodies.collisionVisible = on;
    else if (overlay === "mass" || overlay === "inertia" || overlay === "joints" || overlay === "frames")
      this.marks.show(overlay, on);
    else this.apply();
  }

  /** The plan of a vehicle has changed. */
  plan(): void {
    this.plans.show(this.scene, this.bodies.radii);
  }

  remember(frame: Frame): void {
    this.trails.remember(frame.clock("time"), frame.get("bodies"));
  }

  update(frame: Frame): void {
    const poses = frame.get("bodies");
    this.trails.update(poses);
    if (this.shown.has("forces")) this.drawForces(frame.get("forces"));
    if (this.shown.has("pressure")) this.drawPressures(frame.get("forces"));
    if (this.shown.has("contacts")) this.drawContacts(frame.get("contacts"), frame.clock("contacts"));
    if (this.shown.has("wind")) this.drawWind(frame.get("wind"), poses);
    if (this.shown.has("lasers")) this.lasers.update(frame.get("lasers"), poses);
    if (this.shown.has("ghost")) this.ghosts.update(frame.get("goals"), poses);
  }

  private apply(): void {
    this.trails.root.visible = this.shown.has("trails");
    this.plans.root.visible = this.shown.has("plan");
    this.forces.root.visible = this.shown.has("forces");
    this.contacts.root.visible = this.shown.has("contacts");
    this.wind.root.visible = this.shown.has("wind");
    this.lasers.points.visible = this.shown.has("lasers");
    this.ghosts.root.visible = this.shown.has("ghost");
    for (const mark of this.pressures) mark.visible = this.shown.has("pressure");
  }

  private addForce(arrows: Arrows, rows: Float64Array, row: number): void {
    const at = 6 * row;
    const [fx, fy, fz] = [rows[at + 3]!, rows[at + 4]!, rows[at + 5]!];
    const length = Math.min(Math.hypot(fx, fy, fz) * this.metresPerNewton * this.forceScale, this.longest);
    arrows.add(rows[at]!, rows[at + 1]!, rows[at + 2]!, fx, fy, fz, length);
  }

  private drawForces(rows: Float64Array): void {
    this.forces.clear();
    for (let row = 0; row < rows.length / 6; row++) this.addForce(this.forces, rows, row);
    this.forces.show();
  }

  private drawContacts(rows: Float64Array, count: number): void {
    this.contacts.clear();
    for (let row = 0; row < Math.min(count, rows.length / 6); row++) this.addForce(this.contacts, rows, row);
    this.contacts.show();
  }

  /** Where the air's forces on a vehicle act together: the mean of their points, weighted by their size. */
  private drawPressures(rows: Float64Array): void {
    this.pressures.forEach((mark, vehicle) => {
      let total = 0;
      mark.position.set(0, 0, 0);
      this.owners.forEach((owner, row) => {
        const at = 6 * row;
        if (owner !== vehicle || at >= rows.length) return;
        const weight = Math.hypot(rows[at + 3]!, rows[at + 4]!, rows[at + 5]!);
        total += weight;
        mark.position.x += weight * rows[at]!;
        mark.position.y += weight * rows[at + 1]!;
        mark.position.z += weight * rows[at + 2]!;
      });
      mark.visible = total > 0;
      if (total > 0) mark.position.divideScalar(total);
    });
  }

  private drawWind(winds: Float64Array, poses: Float64Array): void {
    this.wind.clear();
    this.scene.vehicles.forEach(({ root }, k) => {
      const [x, y, z] = [winds[3 * k]!, winds[3 * k + 1]!, winds[3 * k + 2]!];
      const speed = Math.hypot(x, y, z);
      const reach = 1.6 * this.bodies.radii[k]!;
      const length = Math.min(speed * WIND_SECONDS * Math.max(1, reach), this.longest);
      for (let corner = 0; corner < 4; corner++) {
        const [dx, dy] = [corner & 1 ? reach : -reach, corner & 2 ? reach : -reach];
        this.wind.add(poses[7 * root]! + dx, poses[7 * root + 1]! + dy, poses[7 * root + 2]!, x, y, z, length);
      }
    });
    this.wind.show();
  }
}

function vehicleMass(scene: Scene, vehicle: number): number {
  return scene.bodies.reduce((sum, body) => (body.vehicle === vehicle ? sum + body.mass : sum), 0);
}
