// The four wheels of a base from above: what each is asked for, beside what it does, and its two keys.

import { fixed, h, say, svg } from "../dom";
import type { DriveKey, Driving } from "../input/driving";
import type { Driven } from "../messages";
import { keyButton } from "./drive_key";

/** In the order of the commands; the label of each key is what is printed on the keypad. */
const WHEELS: { name: string; keys: [DriveKey, string, DriveKey, string] }[] = [
  { name: "front right", keys: ["NumpadMultiply", "*", "Numpad9", "9"] },
  { name: "front left", keys: ["NumpadDivide", "/", "Numpad8", "8"] },
  { name: "rear left", keys: ["Numpad5", "5", "Numpad2", "2"] },
  { name: "rear right", keys: ["Numpad6", "6", "Numpad3", "3"] },
];
/** As they lie, seen from above, row by row. */
const PLACES = [1, 0, 2, 3];
/** Half height of a bar in its drawing. */
const FULL = 46;

interface Wheel {
  asked: SVGRectElement;
  does: SVGRectElement;
  number: HTMLElement;
}

export class WheelsView {
  readonly element: HTMLElement;
  private readonly wheels: Wheel[];

  constructor(driving: Driving) {
    const drawn = WHEELS.map(({ name, keys }) => {
      const [asked, does] = [bar("asked", -15), bar("does", 3)];
      const number = h("output", { class: "drive-number" });
      const [up, upLabel, down, downLabel] = keys;
      const drawing = svg(
        "svg",
        { viewBox: "-20 -50 40 100", class: "wheel-bars", "aria-hidden": "true" },
        svg("rect", { x: -19, y: -49, width: 38, height: 98, rx: 7, class: "outline" }),
        does,
        asked,
        svg("line", { x1: -19, x2: 19, y1: 0, y2: 0, class: "zero" }),
      );
      const part = h(
        "div",
        { class: "wheel" },
        h(
          "div",
          { class: "wheel-keys" },
          keyButton(driving, up, upLabel, `${name} wheel forward`),
          keyButton(driving, down, downLabel, `${name} wheel back`),
        ),
        drawing,
        h("div", { class: "wheel-words" }, h("small", {}, name), number),
      );
      return { part, asked, does, number };
    });
    this.wheels = drawn;
    this.element = h("div", { class: "wheels-view" }, ...PLACES.map((k) => drawn[k]!.part));
  }

  show({ values, command }: Driven): void {
    this.wheels.forEach(({ asked, number }, k) => {
      place(asked, values[k] ?? 0);
      const speed = command[k];
      say(number, speed == null ? "left alone" : `${fixed(speed)} rad/s`);
    });
  }

  /** Speeds of the wheels [rad/s]; `full` is a whole bar. */
  update(speeds: number[], full: number): void {
    this.wheels.forEach(({ does }, k) => place(does, (speeds[k] ?? 0) / full));
  }
}

function bar(name: string, x: number): SVGRectElement {
  return svg("rect", { x, width: 12, y: 0, height: 0, class: name });
}

function place(bar: SVGRectElement, share: number): void {
  const height = FULL * Math.min(1, Math.abs(share));
  bar.setAttribute("y", String(share > 0 ? -height : 0));
  bar.setAttribute("height", String(height));
}
