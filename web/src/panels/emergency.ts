// The red button, and what is said while the motors are off.

import { h } from "../dom";
import type { Frame } from "../frame";
import type { Sticks } from "../input/sticks";
import type { Link } from "../link";

export class Emergency {
  readonly element: HTMLElement;
  private readonly stop: HTMLButtonElement;
  private readonly banner: HTMLElement;
  private on = false;

  constructor(link: Link, sticks: Sticks) {
    this.stop = h(
      "button",
      { type: "button", class: "stop", title: "Motors off (Space)", onclick: () => sticks.stop() },
      h("b", {}, "STOP"),
      h("small", {}, "Space"),
    );
    const release = h(
      "button",
      { type: "button", class: "button", onclick: () => link.send({ kind: "emergency", on: false }) },
      "Motors on again",
    );
    this.banner = h(
      "div",
      { class: "stopped", role: "alert", hidden: true },
      h("b", {}, "Emergency stop: the motors are off"),
      release,
    );
    this.element = h("div", { class: "emergency" }, this.stop, this.banner);
    link.on("world", () => (this.stop.hidden = link.hello?.replay != null));
  }

  update(frame: Frame): void {
    const on = frame.clock("emergency") > 0;
    if (on === this.on) return;
    this.on = on;
    this.banner.hidden = !on;
  }
}
