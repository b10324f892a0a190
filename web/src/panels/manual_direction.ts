// The velocity of a base as an arrow seen from above, its turn as a bar; the cursor may drag the tip of the arrow.

import { fixed, h, say, svg } from "../dom";
import type { DriveKey, Driving } from "../input/driving";
import { clamp } from "../input/keyboard";
import type { Driven } from "../messages";
import { keyButton } from "./drive_key";

/** From the centre of the drawing to full deflection, of 100 to its edge. */
const REACH = 84;
/** Notches of 100 px that a mouse wheel turns at once. */
const NOTCH = 100;
const KEYS: [DriveKey, string][] = [
  ["KeyQ", "Turn left"],
  ["KeyW", "Forward"],
  ["KeyE", "Turn right"],
  ["KeyA", "Left"],
  ["KeyS", "Back"],
  ["KeyD", "Right"],
];
const ROWS = [
  ["Forward", "m/s"],
  ["Left", "m/s"],
  ["Turn", "rad/s"],
] as const;

export class DirectionView {
  readonly element: HTMLElement;
  private readonly turn = h("i");
  private readonly turns = h("i", { class: "does" });
  private readonly asked = svg("line", { class: "asked", x1: 0, y1: 0, "marker-end": "url(#drive-tip)" });
  private readonly does = svg("line", { class: "does", x1: 0, y1: 0 });
  private readonly pad = h("div", { class: "drive-pad", role: "group", "aria-label": "Velocity" });
  private readonly numbers: [HTMLElement, HTMLElement][] = [];
  private draggable = false;

  constructor(private readonly driving: Driving) {
    this.pad.append(this.drawing());
    const rows = ROWS.flatMap(([name, unit]) => {
      const cells: [HTMLElement, HTMLElement] = [h("output"), h("output", { class: "does" })];
      this.numbers.push(cells);
      return [h("span", {}, name), ...cells, h("span", { class: "unit" }, unit)];
    });
    const keys = KEYS.map(([key, words]) => keyButton(driving, key, key.slice(-1), words));
    this.element = h(
      "div",
      { class: "direction-view" },
      h("div", { class: "drive-turn", title: "Turn" }, h("span", { class: "bar" }, this.turns, this.turn)),
      this.pad,
      h(
        "div",
        {},
        h("div", { class: "drive-keys" }, ...keys),
        h(
          "div",
          { class: "drive-numbers" },
          h("span"),
          h("small", {}, "asked"),
          h("small", {}, "does"),
          h("span"),
          ...rows,
        ),
      ),
    );
    this.listen();
  }

  show({ values, command }: Driven, draggable: boolean): void {
    this.draggable = draggable;
    this.pad.classList.toggle("draggable", draggable);
    const [forward = 0, left = 0, turn = 0] = values;
    point(this.asked, forward, left);
    fill(this.turn, -turn);
    this.numbers.forEach(([asked], k) => say(asked, fixed(command[k] ?? 0)));
  }

  /** Forward, left [m/s], turn [rad/s]; `full` is a whole arrow. */
  update(axes: number[], full: number): void {
    const [forward = 0, left = 0, turn = 0] = axes;
    point(this.does, clamp(forward / full), clamp(left / full));
    fill(this.turns, -clamp(turn / full));
    this.numbers.forEach(([, does], k) => say(does, fixed(axes[k] ?? 0)));
  }

  private drawing(): SVGSVGElement {
    const tip = svg(
      "marker",
      { id: "drive-tip", viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto" },
      svg("path", { d: "M0 0 10 5 0 10z", class: "tip" }),
    );
    return svg(
      "svg",
      { viewBox: "-100 -100 200 200", "aria-hidden": "true" },
      svg("defs", {}, tip),
      svg("rect", { x: -98, y: -98, width: 196, height: 196, rx: 12, class: "outline" }),
      svg("path", { d: "M-84 0H84M0-84V84", class: "zero" }),
      svg("rect", { x: -17, y: -22, width: 34, height: 44, rx: 4, class: "base" }),
      svg("path", { d: "M-7-12 0-19 7-12", class: "nose" }),
      this.does,
      this.asked,
    );
  }

  private listen(): void {
    const { pad, driving } = this;
    let down = false;
    const take = (event: PointerEvent) => {
      const box = pad.getBoundingClientRect();
      const reach = (REACH / 200) * box.width;
      driving.cursor = [
        clamp((event.clientX - box.left - box.width / 2) / reach),
        clamp((box.top + box.height / 2 - event.clientY) / reach),
      ];
      driving.update();
    };
    pad.addEventListener("pointerdown", (event) => {
      if (!this.draggable) return;
      event.preventDefault();
      pad.setPointerCapture(event.pointerId);
      down = true;
      take(event);
    });
    pad.addEventListener("pointermove", (event) => down && take(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"])
      pad.addEventListener(name, () => {
        if (!down) return;
        down = false;
        driving.cursor = [0, 0];
        driving.update();
      });
    pad.addEventListener(
      "wheel",
      (event) => {
        if (!this.draggable) return;
        event.preventDefault();
        driving.scroll(-event.deltaY / NOTCH);
      },
      { passive: false },
    );
  }
}

function point(arrow: SVGLineElement, forward: number, left: number): void {
  arrow.setAttribute("x2", String(-REACH * left));
  arrow.setAttribute("y2", String(-REACH * forward));
  arrow.classList.toggle("none", Math.hypot(forward, left) < 0.02);
}

function fill(bar: HTMLElement, share: number): void {
  bar.style.transform = `translateX(${share < 0 ? 50 + 50 * share : 50}%) scaleX(${Math.abs(share) / 2})`;
}
