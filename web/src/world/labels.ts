// Names of vehicles over the picture, and an arrow at its edge towards one that is out of sight.

import * as THREE from "three";

import { h } from "../dom";
import type { Scene } from "../messages";
import type { Stage } from "./stage";
import { vehicleColor } from "./trails";

/** [px] that an arrow keeps from the edge. */
const EDGE = 26;
/** [px] over a vehicle. */
const ABOVE = 14;

export interface Spot {
  x: number;
  y: number;
  /** Turn [rad] of the arrow; null for what is in sight. */
  arrow: number | null;
}

/** Where the name of a place belongs on a picture of some size [px], from its place in the camera's cube. */
export function spot(at: THREE.Vector3, width: number, height: number): Spot {
  const seen = at.z < 1 && Math.abs(at.x) <= 1 && Math.abs(at.y) <= 1;
  if (seen) return { x: (0.5 + 0.5 * at.x) * width, y: (0.5 - 0.5 * at.y) * height, arrow: null };
  // Behind the camera everything is mirrored.
  const side = at.z < 1 ? 1 : -1;
  const [x, y] = [side * at.x * width, -side * at.y * height];
  const reach = Math.max(Math.abs(x) / (width - 2 * EDGE), Math.abs(y) / (height - 2 * EDGE)) || 1;
  return { x: 0.5 * (width + x / reach), y: 0.5 * (height + y / reach), arrow: Math.atan2(y, x) };
}

export class Labels {
  readonly element = h("div", { class: "labels", "aria-hidden": "true" });
  private marks: { box: HTMLElement; arrow: HTMLElement; shown: string }[] = [];
  private readonly at = new THREE.Vector3();

  constructor(host: HTMLElement) {
    host.append(this.element);
  }

  build(scene: Scene): void {
    this.marks = scene.vehicles.map(({ name }, k) => {
      const arrow = h("span", { class: "label-arrow" }, "➤");
      const box = h("div", { class: "label", hidden: true }, arrow, h("span", {}, name));
      box.style.setProperty("--color", vehicleColor(k));
      return { box, arrow, shown: "" };
    });
    this.element.replaceChildren(...this.marks.map(({ box }) => box));
  }

  /** One vehicle that is in sight needs no name; all need an arrow when out of sight. */
  update(stage: Stage, poses: Float64Array, roots: number[], radii: number[], on: boolean, rides: number): void {
    const { camera, width, height } = stage;
    this.marks.forEach((mark, k) => {
      const root = 7 * roots[k]!;
      this.at.set(poses[root]!, poses[root + 1]!, poses[root + 2]! + 0.6 * radii[k]!).project(camera);
      const { x, y, arrow } = spot(this.at, width, height);
      const hidden = !on || k === rides || (arrow === null && this.marks.length === 1);
      const shown = hidden ? "" : `${x.toFixed(0)} ${y.toFixed(0)} ${arrow === null ? "" : arrow.toFixed(2)}`;
      if (shown === mark.shown) return;
      mark.shown = shown;
      mark.box.hidden = hidden;
      if (hidden) return;
      // At an edge the name lies inwards, so that none of it is cut.
      const inwards = arrow === null ? 50 : (100 * x) / width;
      mark.box.style.transform = `translate(${x}px, ${y - (arrow === null ? ABOVE : 0)}px) translate(-${inwards.toFixed(0)}%, -50%)`;
      mark.arrow.hidden = arrow === null;
      if (arrow !== null) mark.arrow.style.transform = `rotate(${arrow}rad)`;
    });
  }
}
