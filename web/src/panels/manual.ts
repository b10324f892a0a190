// Manual control of a base: its eleven modes, its gears, what is asked for and what the base does.

import { block, h, say } from "../dom";
import type { Frame } from "../frame";
import type { DriveKey, Driving } from "../input/driving";
import type { Link } from "../link";
import { DRIVE_GEARS, DRIVE_MODES, type Driven } from "../messages";
import { DirectionView } from "./manual_direction";
import { WheelsView } from "./manual_wheels";

const UNITS = { wheels: "rad/s", velocity: "m/s, rad/s" } as const;
const HINTS = {
  press: "Keys drive while they are pressed.",
  smooth: "Keys move the speed; it stays when you let go.",
  step: "Each press moves the speed by a tenth; it stays.",
  pad: { wheels: "Vertical axes: front wheels. Horizontal: rear.", velocity: "Right stick moves, left stick turns." },
  mouse: "Drag: where to and how fast. Wheel, Q, E: turn.",
} as const;

export class ManualPanel {
  readonly element: HTMLElement;
  private readonly modes: HTMLButtonElement[];
  private readonly gears: HTMLButtonElement[];
  private readonly name = h("b");
  private readonly state = h("output", { class: "drive-state", role: "status" });
  private readonly hint = h("p", { class: "note" });
  private readonly unit = h("span", { class: "unit" });
  private readonly wheels: WheelsView;
  private readonly direction: DirectionView;

  constructor(
    private readonly link: Link,
    driving: Driving,
    cutMotors: () => void,
  ) {
    const pick = (key: DriveKey) => (event: Event) => {
      const why = (event.currentTarget as HTMLElement).dataset.why;
      if (why) say(this.hint, `Not now: ${why}.`);
      else driving.tap(key);
    };
    this.modes = DRIVE_MODES.map((_, k) =>
      h("button", { type: "button", onclick: pick(`F${k + 1}` as DriveKey) }, String(k + 1)),
    );
    this.gears = DRIVE_GEARS.wheels.map((_, k) =>
      h(
        "button",
        { type: "button", title: `Gear ${k + 1}`, onclick: pick(`Digit${k + 1}` as DriveKey) },
        String(k + 1),
      ),
    );
    this.wheels = new WheelsView(driving);
    this.direction = new DirectionView(driving);
    const wheels = DRIVE_MODES.findIndex(({ output }) => output === "velocity");
    const group = (label: string, buttons: HTMLElement[]) =>
      h("div", { class: "segments", role: "group", "aria-label": label }, ...buttons);
    const stop = () => (driving.moving ? driving.tap("Space") : cutMotors());
    this.element = h(
      "div",
      { class: "manual" },
      block(
        "Mode",
        h(
          "div",
          { class: "drive-modes" },
          h("span", {}, "Wheels"),
          group("Wheels", this.modes.slice(0, wheels)),
          h("span", {}, "Base"),
          group("Base", this.modes.slice(wheels)),
        ),
        this.name,
        this.hint,
      ),
      block(
        "Drive",
        h(
          "div",
          { class: "row" },
          this.state,
          h("button", { type: "button", class: "button danger", title: "Space", onclick: stop }, "Stop"),
        ),
        this.wheels.element,
        this.direction.element,
      ),
      block("Gear", group("Gear", this.gears), this.unit),
      block(
        "Keys while this tab is open",
        h(
          "p",
          { class: "note" },
          "Space stops; pressed again, it cuts the motors. Z: next mode, F1 … F11 pick one. R F: gear up, down, " +
            "1 … 7 pick one.",
        ),
      ),
    );
    link.on("driven", (driven) => driven.vehicle === link.vehicle && this.show(driven));
    const welcome = () => {
      const driven = link.driven.get(link.vehicle);
      if (driven) this.show(driven);
    };
    link.on("world", welcome);
    link.on("vehicle", welcome);
  }

  /** What the base really does. */
  update(frame: Frame): void {
    const driven = this.link.driven.get(this.link.vehicle);
    const info = this.link.vehicleInfo;
    if (!driven || !info) return;
    const mode = DRIVE_MODES[driven.mode - 1]!;
    const full = DRIVE_GEARS[mode.output][driven.gear - 1]!;
    const signals = frame.get("signals");
    const value = (name: string) => signals[this.link.signal(name)] ?? 0;
    if (mode.output === "wheels") this.wheels.update(info.wheels.map((wheel) => value(`${wheel}.velocity`)), full);
    else {
      const axes = ["velocity_b.x", "velocity_b.y", "rate_b.z"].map((axis) => value(`${info.name}.${axis}`));
      this.direction.update(axes, full);
    }
  }

  private show(driven: Driven): void {
    const mode = DRIVE_MODES[driven.mode - 1]!;
    this.modes.forEach((button, k) => {
      const why = driven.why_not[k] ?? "";
      button.title = `${DRIVE_MODES[k]!.name} (F${k + 1})${why && `: ${why}`}`;
      button.dataset.why = why;
      button.setAttribute("aria-label", `${k + 1}: ${DRIVE_MODES[k]!.name}`);
      button.setAttribute("aria-disabled", String(why !== ""));
      button.setAttribute("aria-pressed", String(k + 1 === driven.mode));
    });
    const gears = DRIVE_GEARS[mode.output];
    this.gears.forEach((button, k) => {
      say(button, String(gears[k]));
      button.setAttribute("aria-pressed", String(k + 1 === driven.gear));
    });
    say(this.unit, `${UNITS[mode.output]} at full deflection`);
    const name = `${driven.mode}: ${mode.name}`;
    if (this.name.textContent !== name) {
      say(this.name, name);
      say(this.hint, mode.style === "pad" ? HINTS.pad[mode.output] : HINTS[mode.style]);
    }
    this.showState(driven);
    this.wheels.element.hidden = mode.output !== "wheels";
    this.direction.element.hidden = mode.output !== "velocity";
    if (mode.output === "wheels") this.wheels.show(driven);
    else this.direction.show(driven, mode.style === "mouse");
  }

  private showState({ by_hand, stopped }: Driven): void {
    const state = !by_hand ? "idle" : stopped ? "stopped" : "moving";
    this.state.dataset.state = state;
    const words = { idle: "Not driven by hand", stopped: "Stopped", moving: "You drive" };
    say(this.state, words[state]);
  }
}
