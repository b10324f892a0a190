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
} as const;
/** Or `camera 0`, `camera 1`, … for one on board. */
export type View = keyof typeof VIEWS | `camera ${number}`;

const FIELD_OF_VIEW = 50;
const FIRST_PERSON = 80;
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
    this.controls.maxPolarAngle = 0.55 * Math.PI;
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
    return this.view === "orbit" ? new THREE.Vector3() : this.before;
  }

  set(view: View): void {
    const outside = view in VIEWS && view !== "first";
    if (outside && !(this.view in VIEWS && this.view !== "first")) this.fresh = true;
    this.view = view;
    this.controls.enabled = outside;
  }

  update(bodies: Bodies, root: number, radius: number, cameras: Camera[], seconds: number): void {
    const link = bodies.links[root];
    if (!link) return;
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
    } else this.orbit(link, seconds);
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
    camera.position.z = Math.max(camera.position.z, 0.05);
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
