// Marks fixed to bodies: centres of mass, inertia boxes, joint axes, frames with letters.

import * as THREE from "three";

import type { Scene } from "../messages";
import { pose } from "./shapes";

export type MarkKind = "mass" | "inertia" | "joints" | "frames";
const AXES = [
  ["x", "#ef4444"],
  ["y", "#22c55e"],
  ["z", "#3b82f6"],
] as const;
const LETTER_PIXELS = 64;

/** All marks of one kind, made when they are first wanted. */
export class Marks {
  private readonly made = new Map<MarkKind, THREE.Object3D[]>();

  constructor(
    private readonly scene: Scene,
    private readonly links: THREE.Group[],
    private readonly size: (body: number) => number,
    private readonly world: THREE.Object3D,
  ) {}

  show(kind: MarkKind, on: boolean): void {
    if (on && !this.made.has(kind)) this.made.set(kind, this.make(kind));
    for (const mark of this.made.get(kind) ?? []) mark.visible = on;
  }

  private make(kind: MarkKind): THREE.Object3D[] {
    switch (kind) {
      case "mass":
        return this.perBody((body) => centre(this.scene.bodies[body]!.com_b, 0.05 * this.size(body), "#facc15"));
      case "inertia":
        return this.perBody((body) => inertiaBox(this.scene.bodies[body]!));
      case "joints":
        return this.scene.joints
          .filter((joint) => joint.kind === "hinge" || joint.kind === "slide")
          .map((joint) => {
            const length = 0.45 * this.size(joint.body);
            const at = new THREE.Vector3(...joint.pos_b);
            const arrow = new THREE.ArrowHelper(
              new THREE.Vector3(...joint.axis_b),
              at,
              length,
              "#a855f7",
              0.25 * length,
              0.12 * length,
            );
            onTop(arrow);
            return this.attach(arrow, joint.body);
          });
      case "frames": {
        const own = this.perBody((body) => frame(0.6 * this.size(body)));
        const origin = frame(1);
        this.world.add(origin);
        return [...own, origin];
      }
    }
  }

  private perBody(make: (body: number) => THREE.Object3D): THREE.Object3D[] {
    return this.scene.bodies.flatMap(({ vehicle }, body) => (vehicle < 0 ? [] : [this.attach(make(body), body)]));
  }

  private attach(mark: THREE.Object3D, body: number): THREE.Object3D {
    this.links[body]?.add(mark);
    return mark;
  }
}

/** Seen through everything. */
function onTop(mark: THREE.Object3D): void {
  mark.traverse((one) => {
    const material = (one as THREE.Mesh).material as THREE.Material | undefined;
    if (material) Object.assign(material, { depthTest: false, transparent: true });
    one.renderOrder = 10;
  });
}

export function centre(at: readonly number[], radius: number, color: string): THREE.Mesh {
  const mark = new THREE.Mesh(new THREE.SphereGeometry(radius, 16, 12), new THREE.MeshBasicMaterial({ color }));
  mark.position.set(at[0] ?? 0, at[1] ?? 0, at[2] ?? 0);
  onTop(mark);
  return mark;
}

function inertiaBox(body: Scene["bodies"][number]): THREE.Object3D {
  const [a, b, c] = body.inertia_box;
  const edges = new THREE.EdgesGeometry(new THREE.BoxGeometry(2 * a, 2 * b, 2 * c));
  const lines = new THREE.LineSegments(edges, new THREE.LineBasicMaterial({ color: "#e879f9" }));
  pose(body.com_b, body.inertia_quat_b).decompose(lines.position, lines.quaternion, lines.scale);
  onTop(lines);
  return lines;
}

function frame(length: number): THREE.Object3D {
  const root = new THREE.Group();
  AXES.forEach(([name, color], k) => {
    const way = new THREE.Vector3().setComponent(k, 1);
    root.add(new THREE.ArrowHelper(way, new THREE.Vector3(), length, color, 0.18 * length, 0.09 * length));
    const sign = letter(name, color);
    sign.position.copy(way).multiplyScalar(1.16 * length);
    sign.scale.setScalar(0.22 * length);
    root.add(sign);
  });
  onTop(root);
  return root;
}

function letter(text: string, color: string): THREE.Sprite {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = LETTER_PIXELS;
  const pen = canvas.getContext("2d")!;
  pen.font = `600 ${0.8 * LETTER_PIXELS}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillStyle = color;
  pen.fillText(text, LETTER_PIXELS / 2, LETTER_PIXELS / 2);
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  return new THREE.Sprite(new THREE.SpriteMaterial({ map }));
}
