// Where one looks from.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

import type { Camera } from "../messages";
import type { Bodies } from "./bodies";
import { pose } from "./shapes";
import type { Stage } from "./stage";

export const VIEWS = {
  chase: "Behind the vehicle, turning with it",
  follow: "Beside the vehicle, not turning",
  orbit: "From a fixed place",
  first: "From the vehicle, forward",
  tower: "From a tower that looks after the vehicle",
  all: "All vehicles in the picture",
} as const;
/** Views that people turn with the mouse. */
const TURNED: readonly View[] = ["chase", "follow", "orbit", "all"];
/** Or `camera 0`, `camera 1`, … for one on board. */
export type View = keyof typeof VIEWS | `camera ${number}`;

const FIELD_OF_VIEW = 50;
const FIRST_PERSON = 80;
/** [m] where the tower of a small vehicle stands, and [degrees] of its sharpest look. */
const TOWER = [-9, -14, 4] as const;
const NARROWEST = 3;
/** [m] that a camera keeps from a wall. */
const MARGIN = 0.15;
/** Part of the way to the eye that a wall leaves at least. */
const NEAREST = 0.1;
/** [1/s] with which the view turns after the vehicle. */
const TURNING = 4;
/** A camera of MuJoCo looks along its -z with y up, as those of three.js do; along x with z up it is this. */
const FORWARD = new THREE.Quaternion().setFromRotationMatrix(
  new THREE.Matrix4().makeBasis(new THREE.Vector3(0, -1, 0), new THREE.Vector3(0, 0, 1), new THREE.Vector3(-1, 0, 0)),
);

export class Views {
  readonly controls: OrbitControls;
  view: View = "chase";
  private readonly before = new THREE.Vector3();
  private readonly heading = new THREE.Euler(0, 0, 0, "ZYX");
  private yaw = 0;
  private fresh = true;
  /** Where to look from when it starts afresh. */
  private asked: number[] | null = null;

  constructor(private readonly stage: Stage) {
    this.controls = new OrbitControls(stage.camera, stage.renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
    this.controls.minDistance = 0.1;
    this.controls.maxDistance = 3000;
    this.controls.zoomToCursor = false;
  }

  /** Look at another vehicle, or a new world. */
  restart(): void {
    this.fresh = true;
  }

  /** Where one looks from and at [m]: from the vehicle, and in its heading where the view turns with it. */
  get pose(): number[] {
    const eye = this.stage.camera.position.clone().sub(this.base);
    const target = this.controls.target.clone().sub(this.base);
    const turn = this.view === "chase" ? -this.yaw : 0;
    return [eye, target].flatMap((one) => one.applyAxisAngle(this.stage.camera.up, turn).toArray());
  }

  /** Begin at such a pose. */
  start(pose: number[]): void {
    this.asked = pose;
    this.fresh = true;
  }

  /** What a view goes with. */
  private get base(): THREE.Vector3 {
    return this.view === "orbit" || this.view === "all" ? new THREE.Vector3() : this.before;
  }

  set(view: View): void {
    const outside = TURNED.includes(view);
    if (outside && !TURNED.includes(this.view)) this.fresh = true;
    this.view = view;
    this.controls.enabled = outside;
  }

  update(bodies: Bodies, root: number, radius: number, cameras: Camera[], seconds: number): void {
    const link = bodies.links[root];
    if (!link) return;
    this.controls.maxPolarAngle = (this.stage.landscape.hasGround ? 0.55 : 1) * Math.PI;
    if (this.fresh) this.place(link, radius);
    const { camera } = this.stage;
    const onboard = this.view.startsWith("camera") ? cameras[Number(this.view.slice(7))] : undefined;
    if (onboard && bodies.links[onboard.body]) this.ride(bodies.links[onboard.body]!, onboard);
    else if (this.view === "first") {
      camera.position
        .copy(link.position)
        .add(new THREE.Vector3(0.3 * radius, 0, 0.15 * radius).applyQuaternion(link.quaternion));
      camera.quaternion.copy(link.quaternion).multiply(FORWARD);
      this.zoom(FIRST_PERSON);
    } else if (this.view === "tower") this.watch(link, radius);
    else if (this.view === "all") this.frame(bodies);
    else this.orbit(link, seconds);
    this.stage.pulled = this.view === "chase" || this.view === "follow" ? clearOf(this.controls.target, this.stage.camera.position, bodies.standing) : null;
    this.before.copy(link.position);
    const reach = Math.max(6 * radius, 0.8 * camera.position.distanceTo(link.position));
    this.stage.landscape.follow(link.position, reach, camera.position.z);
  }

  private orbit(link: THREE.Group, seconds: number): void {
    const { camera } = this.stage;
    this.zoom(FIELD_OF_VIEW);
    if (this.view !== "orbit") {
      const moved = link.position.clone().sub(this.before);
      camera.position.add(moved);
      this.controls.target.add(moved);
    }
    const now = this.heading.setFromQuaternion(link.quaternion, "ZYX").z;
    if (this.view === "chase") {
      const gap = Math.atan2(Math.sin(now - this.yaw), Math.cos(now - this.yaw));
      const turn = gap * (1 - Math.exp(-TURNING * seconds));
      const offset = camera.position.clone().sub(this.controls.target).applyAxisAngle(camera.up, turn);
      camera.position.copy(this.controls.target).add(offset);
      this.yaw += turn;
    } else this.yaw = now;
    this.controls.update();
    this.stayAbove();
  }

  /** Not below the ground, where there is one. */
  private stayAbove(): void {
    const { camera, landscape } = this.stage;
    if (landscape.hasGround) camera.position.z = Math.max(camera.position.z, 0.05);
  }

  /** From beside the start, zoomed so that the vehicle stays as large as from a few lengths. */
  private watch(link: THREE.Group, radius: number): void {
    const { camera } = this.stage;
    camera.position.set(...TOWER).multiplyScalar(Math.max(1, radius));
    camera.lookAt(link.position);
    const angle = 2 * Math.atan((5 * radius) / camera.position.distanceTo(link.position));
    this.zoom(THREE.MathUtils.clamp(Math.round(THREE.MathUtils.radToDeg(angle)), NARROWEST, FIELD_OF_VIEW));
  }

  /** From the same side, as far as all of them need. */
  private frame({ links, scene, radii }: Bodies): void {
    const { camera } = this.stage;
    this.zoom(FIELD_OF_VIEW);
    this.controls.update();
    const ball = new THREE.Sphere();
    new THREE.Box3().setFromPoints(scene.vehicles.map(({ root }) => links[root]!.position)).getBoundingSphere(ball);
    const reach = ball.radius + 1.5 * Math.max(...radii);
    const way = camera.position.clone().sub(this.controls.target).normalize();
    const far = reach / Math.sin(THREE.MathUtils.degToRad(FIELD_OF_VIEW / 2)) / Math.min(1, camera.aspect);
    this.controls.target.copy(ball.center);
    camera.position.copy(ball.center).addScaledVector(way, far);
    this.stayAbove();
    camera.lookAt(ball.center);
  }

  private ride(link: THREE.Group, { pos_b, quat_b, fovy }: Camera): void {
    const at = new THREE.Matrix4().multiplyMatrices(link.matrix, pose(pos_b, quat_b));
    at.decompose(this.stage.camera.position, this.stage.camera.quaternion, new THREE.Vector3());
    this.zoom(THREE.MathUtils.radToDeg(fovy));
  }

  private place(link: THREE.Group, radius: number): void {
    this.fresh = false;
    this.yaw = this.heading.setFromQuaternion(link.quaternion, "ZYX").z;
    const behind = new THREE.Vector3(-6.5 * radius, 0, 2.5 * radius).applyAxisAngle(this.stage.camera.up, this.yaw);
    this.before.copy(link.position);
    if (this.asked) this.take(this.asked);
    else {
      this.controls.target.copy(link.position);
      this.stage.camera.position.copy(link.position).add(behind);
    }
    this.asked = null;
    this.controls.update();
  }

  private take(pose: number[]): void {
    const turn = this.view === "chase" ? this.yaw : 0;
    const [eye, target] = [0, 3].map((k) =>
      new THREE.Vector3().fromArray(pose, k).applyAxisAngle(this.stage.camera.up, turn).add(this.base),
    );
    this.stage.camera.position.copy(eye!);
    this.controls.target.copy(target!);
  }

  private zoom(fov: number): void {
    const { camera } = this.stage;
    if (camera.fov === fov) return;
    camera.fov = fov;
    camera.updateProjectionMatrix();
  }
}

const ray = new THREE.Raycaster();

/** A place nearer to the target, where something that stands is between it and the eye; null where nothing is. */
export function clearOf(target: THREE.Vector3, eye: THREE.Vector3, standing: THREE.Object3D[]): THREE.Vector3 | null {
  const way = eye.clone().sub(target);
  const far = way.length();
  ray.set(target, way.normalize());
  ray.far = far + MARGIN;
  const hit = standing.length ? ray.intersectObjects(standing, false)[0] : undefined;
  return hit ? target.clone().addScaledVector(way, Math.max(NEAREST * far, hit.distance - MARGIN)) : null;
}
