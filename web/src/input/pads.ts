// Two sticks on the screen, for a finger or the mouse.

import { h } from "../dom";
import type { StickWords } from "../messages";
import { clamp } from "./keyboard";
import type { Deflection, Pad } from "./sticks";

/** [px] from the centre to full deflection, as a share of the pad. */
const REACH = 0.36;

/** Keys that do the same, above, to the right, below, to the left of each stick. */
const KEYS = [
  ["W", "D", "S", "A"],
  ["↑", "→", "↓", "←"],
] as const;

/** Words above, to the right, below, to the left of each stick; with `keys`, after the key that does the same. */
export function padWords({ roll, pitch, yaw, throttle }: StickWords, keys: boolean): [string[], string[]] {
  const sides = [
    [throttle[0], yaw[0], throttle[1], yaw[1]],
    [pitch[1], roll[0], pitch[0], roll[1]], // the stick pushed up on the screen is pitch -1
  ];
  const written = sides.map((words, pad) => words.map((word, k) => (word && keys ? `${KEYS[pad]![k]} ${word}` : word)));
  return [written[0]!, written[1]!];
}

/** One stick: what it shows to the right and up, -1 to 1. */
class StickPad {
  readonly knob = h("div", { class: "knob" });
  readonly element: HTMLElement;
  private readonly hints: HTMLElement[];
  x = 0;
  y = 0;
  /** Whether a finger is on it. */
  down = false;

  constructor(
    label: string,
    private readonly moved: () => void,
    private readonly released: () => void,
  ) {
    this.hints = ["up", "right", "down", "left"].map((side) => h("span", { class: `hint hint-${side}` }));
    this.element = h("div", { class: "pad", "aria-label": label, role: "group" }, ...this.hints, this.knob);
    this.element.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.element.setPointerCapture(event.pointerId);
      this.down = true;
      this.take(event);
    });
    this.element.addEventListener("pointermove", (event) => this.down && this.take(event));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) {
      this.element.addEventListener(name, () => {
        this.down = false;
        this.released();
      });
    }
  }

  /** Words above, to the right, below, to the left. */
  set words(words: string[]) {
    this.hints.forEach((hint, k) => (hint.textContent = (words[k] ?? "").replaceAll("_", " ")));
  }

  /** Draw it at a place. */
  show(x: number, y: number): void {
    const reach = 100 * REACH;
    [x, y] = [clamp(x), clamp(y)]; // a channel that was set by hand may be beyond where sticks end
    const place = `translate(-50%, -50%) translate(${(x * reach * this.element.clientWidth) / 100}px, ${(-y * reach * this.element.clientWidth) / 100}px)`;
    if (this.knob.style.transform !== place) this.knob.style.transform = place;
  }

  private take(event: PointerEvent): void {
    const box = this.element.getBoundingClientRect();
    const reach = REACH * box.width;
    const limit = (value: number) => Math.min(1, Math.max(-1, value));
    this.x = limit((event.clientX - box.left - box.width / 2) / reach);
    this.y = limit((box.top + box.height / 2 - event.clientY) / reach);
    this.moved();
  }
}

export class Pads implements Pad {
  readonly element: HTMLElement;
  private readonly left: StickPad;
  private readonly right: StickPad;
  /** A throttle that rests at an end stays where it was left. */
  private throttle: number | null = null;

  constructor(moved: () => void, released: () => void) {
    this.left = new StickPad("Left stick: throttle and yaw", moved, released);
    this.right = new StickPad("Right stick: pitch and roll", moved, released);
    this.element = h("div", { class: "pads" }, this.left.element, this.right.element);
  }

  /** What the sticks do; null hides them: they would do nothing. */
  label(words: StickWords | null, keys: boolean): void {
    this.element.hidden = words === null;
    if (words) [this.left.words, this.right.words] = padWords(words, keys);
  }

  read(rest: number): Deflection | null {
    if (this.left.down && rest !== 0) this.throttle = this.left.y;
    if (rest === 0) this.throttle = null;
    if (!this.left.down && !this.right.down && this.throttle === null) return null;
    const { left, right } = this;
    return {
      roll: right.down ? right.x : 0,
      pitch: right.down ? -right.y : 0,
      yaw: left.down ? left.x : 0,
      throttle: this.throttle ?? (left.down ? left.y : rest),
    };
  }

  letGo(): void {
    this.left.down = this.right.down = false;
    this.throttle = null;
  }

  /** Show where the sticks really are. */
  show(roll: number, pitch: number, yaw: number, throttle: number): void {
    this.left.show(yaw, throttle);
    this.right.show(roll, -pitch);
  }
}
