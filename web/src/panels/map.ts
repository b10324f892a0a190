// The world from above: vehicles, where they were, their plans; places are dragged, a click is a place to go to.

import { block, digits, h, say } from "../dom";
import type { Frame } from "../frame";
import type { Link } from "../link";
import { Timeline } from "../timeline";
import { vehicleColor } from "../world/trails";

const SIZE = 320;
const EVERY = 100;
/** [px] around a place in which it is caught, and beyond which a press is a drag. */
const [NEAR, DRAG] = [9, 4];
const MOST_TRAIL = 2000;
/** Signals in a question. */
const MOST_ASKED = 64;
/** [ms] between two questions of where they were. */
const ASK_EVERY = 500;

export interface Extent {
  x: number;
  y: number;
  /** [m] from edge to edge. */
  span: number;
}

export class WorldMap {
  readonly element: HTMLElement;
  private readonly canvas = h("canvas", { class: "map", width: SIZE, height: SIZE, role: "img", "aria-label": "Map of the world from above" });
  private readonly note = h("p", { class: "note" });
  private readonly height = h("input", { type: "number", class: "number", step: "any", "aria-label": "Height to go to, in metres" });
  private readonly back: HTMLButtonElement;
  private readonly at = h("output", { class: "note" });
  /** Of each vehicle: x and y [m] in turn. */
  private trails: number[][] = [];
  private readonly timeline: Timeline;
  private askedAt = -Infinity;
  private extent: Extent = { x: 0, y: 0, span: 10 };
  private drawnAt = -Infinity;
  private lastTime = 0;
  /** Place of the plan that is dragged, and where to [m]. */
  private dragged: { index: number; x: number; y: number; moved: boolean } | null = null;

  constructor(private readonly link: Link) {
    this.timeline = new Timeline(link);
    this.back = h("button", { type: "button", class: "button", onclick: () => link.send({ kind: "go_to", vehicle: link.vehicle, place: null }) }, "Back to the plan");
    this.element = h(
      "div",
      {},
      block("Map", this.canvas, this.at, this.note, h("div", { class: "row" }, h("span", {}, "Height to go to [m]"), this.height), this.back),
    );
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    this.canvas.addEventListener("pointerup", (event) => this.release(event));
    this.canvas.addEventListener("pointercancel", () => (this.dragged = null));
    link.on("world", () => this.welcome());
    link.on("vehicle", () => this.show());
    link.on("planned", () => (this.drawnAt = -Infinity));
  }

  /** Called with each picture while it is in sight. */
  update(frame: Frame): void {
    const now = performance.now();
    if (now - this.drawnAt < EVERY) return;
    this.drawnAt = now;
    if (this.link.isFile) this.remember(frame);
    else void this.recall(frame);
    this.extent = this.dragged ? this.extent : around(this.points(frame));
    this.draw(frame);
  }

  private get goes(): boolean {
    return (this.link.vehicleInfo?.goes ?? false) && this.link.hello?.replay == null && this.link.mayFly("mission");
  }

  private welcome(): void {
    this.trails = (this.link.scene?.vehicles ?? []).map(() => []);
    this.lastTime = 0;
    this.show();
  }

  private show(): void {
    this.height.value = "";
    for (const part of [this.height.parentElement!, this.back]) part.hidden = !this.goes;
    say(
      this.note,
      this.goes
        ? "Drag a place of the plan to move it. Click anywhere to go there at this height (empty: the present one) and stay; the mission's controller flies."
        : `${this.link.scene?.gravity === false ? "The axis y goes up, x to the right." : "North is up."} This vehicle follows no plan that can be changed here.`,
    );
  }

  private place(frame: Frame, vehicle: number): [number, number, number] {
    const at = 7 * (this.link.scene?.vehicles[vehicle]?.root ?? 0);
    const rows = frame.get("bodies");
    return [rows[at]!, rows[at + 1]!, rows[at + 2]!];
  }

  /** Where the vehicles were until now, whether this tab was open or not. */
  private async recall(frame: Frame): Promise<void> {
    const { hello, scene } = this.link;
    if (!hello || performance.now() - this.askedAt < ASK_EVERY) return;
    this.askedAt = performance.now();
    const names = (scene?.vehicles ?? []).slice(0, MOST_ASKED / 2).flatMap(({ name }) => [`${name}.position.x`, `${name}.position.y`]);
    const keys = names.map((name) => this.link.signal(name));
    if (!keys.length || keys.some((key) => key < 0)) return;
    const found = await this.timeline.fetch(keys, hello.replay?.[0] ?? 0, frame.clock("time"), MOST_TRAIL, "rows");
    if (!found || hello !== this.link.hello) return;
    const columns = found.columns.slice(1);
    this.trails = names.flatMap((_, k) => (k % 2 ? [] : [Array.from(columns[k]!, (x, row) => [x, columns[k + 1]![row]!]).flat()]));
  }

  /** A file has the least and the greatest values only: no places. */
  private remember(frame: Frame): void {
    const time = frame.clock("time");
    if (time < this.lastTime) this.trails = this.trails.map(() => []);
    if (time !== this.lastTime)
      this.trails.forEach((trail, k) => {
        trail.push(...this.place(frame, k).slice(0, 2));
        if (trail.length > 2 * MOST_TRAIL) trail.splice(0, MOST_TRAIL);
      });
    this.lastTime = time;
  }

  private points(frame: Frame): [number, number][] {
    const vehicles = this.link.scene?.vehicles ?? [];
    const plans = vehicles.flatMap(({ plan }) => plan.map(({ position }): [number, number] => [position[0], position[1]]));
    return [...vehicles.map((_, k): [number, number] => this.place(frame, k).slice(0, 2) as [number, number]), ...plans];
  }

  private draw(frame: Frame): void {
    const pen = this.canvas.getContext("2d");
    if (!pen) return;
    const style = getComputedStyle(document.documentElement);
    pen.clearRect(0, 0, SIZE, SIZE);
    this.grid(pen, style.getPropertyValue("--line"), style.getPropertyValue("--muted"));
    (this.link.scene?.vehicles ?? []).forEach(({ plan }, vehicle) => {
      const color = vehicleColor(vehicle);
      pen.strokeStyle = pen.fillStyle = color;
      this.line(pen, this.trails[vehicle] ?? []);
      const places = plan.map(({ position }, k) => (vehicle === this.link.vehicle && this.dragged?.index === k ? [this.dragged.x, this.dragged.y] : position));
      pen.setLineDash([4, 4]);
      this.line(pen, places.flatMap(([x, y]) => [x!, y!]));
      pen.setLineDash([]);
      for (const [x, y] of places) this.dot(pen, x!, y!, 4);
      const [x, y] = this.place(frame, vehicle);
      this.dot(pen, x, y, vehicle === this.link.vehicle ? 7 : 5);
    });
  }

  private grid(pen: CanvasRenderingContext2D, line: string, ink: string): void {
    const step = roundStep(this.extent.span / 5);
    pen.strokeStyle = line;
    pen.fillStyle = ink;
    pen.lineWidth = 1;
    pen.font = "11px system-ui, sans-serif";
    const low = (middle: number) => Math.ceil((middle - this.extent.span / 2) / step);
    for (let k = 0; k < 12; k++) {
      const [x] = toPixels(this.extent, (low(this.extent.x) + k) * step, 0);
      const [, y] = toPixels(this.extent, 0, (low(this.extent.y) + k) * step);
      pen.strokeRect(x, -1, 0, SIZE + 2);
      pen.strokeRect(-1, y, SIZE + 2, 0);
    }
    pen.fillText(`${this.link.scene?.gravity === false ? "y" : "N"} ↑   grid ${digits(step)} m`, 6, SIZE - 6);
  }

  private line(pen: CanvasRenderingContext2D, points: number[]): void {
    pen.lineWidth = 1.5;
    pen.beginPath();
    for (let k = 0; k < points.length; k += 2) pen.lineTo(...toPixels(this.extent, points[k]!, points[k + 1]!));
    pen.stroke();
  }

  private dot(pen: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
    pen.beginPath();
    pen.arc(...toPixels(this.extent, x, y), radius, 0, 2 * Math.PI);
    pen.fill();
  }

  /** [m] under the pointer. */
  private under(event: PointerEvent): [number, number] {
    const box = this.canvas.getBoundingClientRect();
    return toMetres(this.extent, ((event.clientX - box.left) / box.width) * SIZE, ((event.clientY - box.top) / box.height) * SIZE);
  }

  private press(event: PointerEvent): void {
    if (!this.goes || !this.link.frame) return;
    const [x, y] = this.under(event);
    const near = (NEAR * this.extent.span) / SIZE;
    const index = (this.link.vehicleInfo?.plan ?? []).findIndex(({ position }) => Math.hypot(position[0] - x, position[1] - y) < near);
    this.canvas.setPointerCapture(event.pointerId);
    this.dragged = { index, x, y, moved: false };
  }

  private drag(event: PointerEvent): void {
    const [x, y] = this.under(event);
    say(this.at, `x ${digits(x, 4)} m, y ${digits(y, 4)} m`);
    if (!this.dragged) return;
    const far = (DRAG * this.extent.span) / SIZE;
    const moved = this.dragged.moved || Math.hypot(x - this.dragged.x, y - this.dragged.y) > far;
    this.dragged = moved && this.dragged.index >= 0 ? { ...this.dragged, x, y, moved } : { ...this.dragged, moved };
    this.drawnAt = -Infinity;
  }

  private release(event: PointerEvent): void {
    const { dragged, link } = this;
    this.dragged = null;
    if (!dragged || !link.frame) return;
    const [x, y] = this.under(event);
    const { vehicle } = link;
    if (dragged.index >= 0 && dragged.moved) {
      const height = link.vehicleInfo!.plan[dragged.index]!.position[2];
      link.send({ kind: "move_waypoint", vehicle, index: dragged.index, place: [x, y, height] });
    } else if (!dragged.moved) {
      const height = this.height.value ? Number(this.height.value) : this.place(link.frame, vehicle)[2];
      link.send({ kind: "go_to", vehicle, place: [x, y, height] });
    }
  }
}

/** A square that holds all points, with room, and steps of a tenth so that it does not tremble. */
export function around(points: [number, number][]): Extent {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  if (!Number.isFinite(left + right + low + high)) return { x: 0, y: 0, span: 10 };
  const span = roundStep(Math.max(4, 1.3 * Math.max(right - left, high - low)));
  const grain = span / 10;
  return { x: Math.round((left + right) / 2 / grain) * grain, y: Math.round((low + high) / 2 / grain) * grain, span };
}

/** The next 1, 2 or 5 times a power of ten. */
export function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((one) => one * power >= rough * (1 - 1e-9)) ?? 10);
}

export function toPixels({ x, y, span }: Extent, east: number, north: number): [number, number] {
  return [SIZE * (0.5 + (east - x) / span), SIZE * (0.5 - (north - y) / span)];
}

export function toMetres({ x, y, span }: Extent, right: number, down: number): [number, number] {
  return [x + span * (right / SIZE - 0.5), y + span * (0.5 - down / SIZE)];
}
