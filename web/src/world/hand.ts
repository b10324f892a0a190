// The mouse on bodies: their names, pushing and turning them.

import * as THREE from "three";

import { digits, h } from "../dom";
import type { Link } from "../link";
import { Arrows } from "./arrows";
import type { Bodies } from "./bodies";
import type { Stage } from "./stage";
import type { Views } from "./views";

/** [ms] between two looks at what lies under the pointer. */
const LOOK_EVERY = 80;
/** [ms] after which a name goes when the pointer rests: what it named has moved on. */
const NAME_STAYS = 2500;
/** Force at one radius of pull, in weights of the vehicle. */
const WEIGHTS_PER_RADIUS = 0.35;
const GRAVITY = 9.81;
const NOTHING = new THREE.Vector3();
/** Torque at one radius of pull with Alt, as the share of the pull's force acting at one radius. */
const TWIST = 0.25;

interface Grip {
  body: number;
  point_b: THREE.Vector3;
  plane: THREE.Plane;
  newtonsPerMetre: number;
  /** Lever of a twist [m]. */
  lever: number;
}

/** Torque [N m] that turns the near side of a body along the pull [N], as seen by who looks along `facing`. */
export function twist(pull: THREE.Vector3, facing: THREE.Vector3, lever: number): THREE.Vector3 {
  return new THREE.Vector3().crossVectors(pull, facing).multiplyScalar(lever);
}

export class Hand {
  readonly arrows = new Arrows(1, "#f97316", 0.012);
  private bodies: Bodies | null = null;
  private grip: Grip | null = null;
  private twisting = false;
  private looked = 0;
  private sent = 0;
  private readonly ray = new THREE.Raycaster();
  private readonly pointer = new THREE.Vector2(2, 2);
  private readonly tip = h("div", { class: "tip", role: "tooltip", hidden: true });

  constructor(
    private readonly stage: Stage,
    private readonly views: Views,
    private readonly link: Link,
    private readonly pilot: () => boolean,
    host: HTMLElement,
  ) {
    const canvas = stage.renderer.domElement;
    host.append(this.tip);
    // Before the orbit controls hear of it.
    canvas.addEventListener("pointerdown", (event) => this.take(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("dblclick", (event) => this.choose(event));
    canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
    for (const name of ["pointerup", "pointercancel", "blur"]) addEventListener(name, () => this.letGo());
  }

  set world(bodies: Bodies) {
    this.bodies = bodies;
    this.letGo();
  }

  /** Pulls on as long as the button is held. */
  update(): void {
    const { grip, bodies } = this;
    if (performance.now() - this.looked > NAME_STAYS) this.tip.hidden = true;
    if (!grip || !bodies) return;
    const link = bodies.links[grip.body]!;
    const from = grip.point_b.clone().applyMatrix4(link.matrix);
    const to = new THREE.Vector3();
    this.ray.setFromCamera(this.pointer, this.stage.camera);
    if (!this.ray.ray.intersectPlane(grip.plane, to)) return;
    const pull = to.sub(from);
    this.arrows.clear();
    this.arrows.add(from.x, from.y, from.z, pull.x, pull.y, pull.z, pull.length());
    this.arrows.show();
    if (performance.now() - this.sent < 50) return;
    this.sent = performance.now();
    const force = pull.multiplyScalar(grip.newtonsPerMetre);
    const torque = twist(force, grip.plane.normal, TWIST * grip.lever);
    this.say(this.twisting ? `${digits(torque.length(), 3)} N m` : `${digits(force.length(), 3)} N`);
    this.push(grip.body, grip.point_b, this.twisting ? NOTHING : force, this.twisting ? torque : NOTHING);
  }

  private take(event: PointerEvent): void {
    this.tip.hidden = true;
    if (!event.shiftKey || event.button !== 0 || !this.bodies) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    this.aim(event);
    const hit = this.hit();
    const body = hit?.object.userData.body as number | undefined;
    if (!hit || body === undefined || body === 0 || !this.pilot()) return;
    const { scene, radii, links } = this.bodies;
    const vehicle = scene.bodies[body]!.vehicle;
    const mass = scene.bodies.reduce(
      (sum, one, k) => (k === body || (vehicle >= 0 && one.vehicle === vehicle) ? sum + one.mass : sum),
      0,
    );
    const facing = this.stage.camera.getWorldDirection(new THREE.Vector3());
    this.grip = {
      body,
      point_b: hit.point.clone().applyMatrix4(links[body]!.matrix.clone().invert()),
      plane: new THREE.Plane().setFromNormalAndCoplanarPoint(facing, hit.point),
      newtonsPerMetre: (WEIGHTS_PER_RADIUS * mass * GRAVITY) / (radii[vehicle] ?? 0.1),
      lever: radii[vehicle] ?? 0.1,
    };
    this.twisting = event.altKey;
    this.views.controls.enabled = false;
  }

  /** The vehicle that is double-clicked is looked at and flown from now on. */
  private choose(event: MouseEvent): void {
    this.aim(event);
    const body = this.hit()?.object.userData.body as number | undefined;
    const vehicle = this.bodies?.scene.bodies[body ?? -1]?.vehicle ?? -1;
    if (vehicle >= 0 && vehicle !== this.link.vehicle) this.link.select(vehicle);
  }

  private letGo(): void {
    if (!this.grip) return;
    this.push(this.grip.body, NOTHING, NOTHING, NOTHING);
    this.grip = null;
    this.tip.hidden = true;
    this.views.set(this.views.view);
    this.arrows.clear();
    this.arrows.show();
  }

  private push(body: number, point: THREE.Vector3, force: THREE.Vector3, torque: THREE.Vector3): void {
    this.link.send({
      kind: "push",
      body,
      point_b: point.toArray(),
      force_w: force.toArray(),
      torque_w: torque.toArray(),
    });
  }

  /** How hard it pulls, beside the pointer. */
  private say(text: string): void {
    this.tip.hidden = false;
    this.looked = performance.now();
    this.tip.textContent = text;
  }

  private move(event: PointerEvent): void {
    this.aim(event);
    this.tip.style.transform = `translate(${event.clientX + 14}px, ${event.clientY + 14}px)`;
    if (this.grip || event.buttons || performance.now() - this.looked < LOOK_EVERY) return;
    this.looked = performance.now();
    const hit = this.hit();
    const body = this.bodies?.scene.bodies[(hit?.object.userData.body as number | undefined) ?? -1];
    this.tip.hidden = !body || body.name === "world";
    if (!body || this.tip.hidden) return;
    this.tip.textContent = `${body.name.replace("/", " · ")} · ${digits(body.mass, 3)} kg`;
  }

  private aim(event: MouseEvent): void {
    const box = this.stage.renderer.domElement.getBoundingClientRect();
    this.pointer.set(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
  }

  private hit(): THREE.Intersection | undefined {
    this.ray.setFromCamera(this.pointer, this.stage.camera);
    return this.bodies ? this.ray.intersectObjects(this.bodies.solids, false)[0] : undefined;
  }
}
