// Pale copies of the vehicles of other runs, where they were at the same time.

import * as THREE from "three";

import type { Flight } from "../flown";
import type { Frame } from "../frame";
import type { Run, Runs } from "../runs";
import { Bodies } from "./bodies";
import { Paints } from "./paints";
import { discard } from "./shapes";

const OPACITY = 0.35;

interface Ghost {
  bodies: Bodies;
  numbers: Float64Array;
  /** First and last number of section `bodies`. */
  place: [number, number];
}

export class RunGhosts {
  readonly root = new THREE.Group();
  private readonly ghosts = new Map<Flight, Ghost>();
  private drawn: Frame | null = null;
  private count = -1;

  constructor(private readonly runs: Runs) {}

  /** Called with each picture. */
  update(frame: Frame): void {
    const { shown } = this.runs;
    if (frame === this.drawn && shown.length === this.count) return;
    this.drawn = frame;
    this.count = shown.length;
    const wanted = new Set(shown.map(({ flight }) => flight));
    for (const [flight, { bodies }] of this.ghosts) {
      if (wanted.has(flight)) continue;
      this.root.remove(bodies.root);
      discard(bodies.root);
      this.ghosts.delete(flight);
    }
    for (const run of shown) this.place(run, run.flight, frame.clock("time"));
  }

  private place(run: Run, flight: Flight, time: number): void {
    const ghost = this.ghosts.get(flight) ?? this.make(run, flight);
    const [first, last] = flight.span;
    ghost.bodies.root.visible = time >= first - 1e-9 && time <= last + 1e-9; // before and after it was nowhere
    if (!ghost.bodies.root.visible) return;
    flight.fill(ghost.numbers, time);
    ghost.bodies.place(ghost.numbers.subarray(...ghost.place));
  }

  private make(run: Run, flight: Flight): Ghost {
    const { hello, scene } = flight.head;
    const bodies = new Bodies(scene, new Paints({ ...scene, materials: [] })); // a ghost has one colour
    const material = new THREE.MeshBasicMaterial({ color: run.color, transparent: true, opacity: OPACITY, depthWrite: false });
    bodies.links.forEach((link, body) => {
      const own = (scene.bodies[body]?.vehicle ?? -1) >= 0;
      link.traverse((one) => {
        if (!(one instanceof THREE.Mesh)) return;
        one.material = material;
        one.castShadow = one.receiveShadow = false;
        one.visible &&= own;
      });
    });
    this.root.add(bodies.root);
    const section = hello.layout.find(({ name }) => name === "bodies")!;
    const place: [number, number] = [section.offset, section.offset + section.count * section.width];
    const ghost = { bodies, numbers: new Float64Array(hello.length), place };
    this.ghosts.set(flight, ghost);
    return ghost;
  }
}
