// The time of a recording, or of a world that is paused: it goes on from where it was put.

import { h, say } from "../dom";
import type { Frame } from "../frame";
import type { Link } from "../link";

const STEPS = 2000;
/** [ms] between two seeks while the slider is dragged. */
const EVERY = 60;
/** [ms] after a drag before frames move the slider again. */
const HELD = 300;

export class ReplayBar {
  readonly element: HTMLElement;
  private readonly slider = h("input", {
    type: "range",
    min: 0,
    max: STEPS,
    value: 0,
    "aria-label": "Time",
    // The world may have gone on since the last picture: a key acts from where it is now.
    onkeydown: () => this.link.frame && this.update(this.link.frame),
    oninput: () => this.seek(),
  });
  private readonly now = h("output", {}, "0.0 s");
  private readonly end = h("span", {});
  private readonly goOn = h(
    "button",
    { type: "button", class: "button primary", hidden: true, onclick: () => this.link.send({ kind: "pause", paused: false }) },
    "Fly on from here",
  );
  private first = 0;
  private last = 1;
  private sought = 0;
  private timer = 0;
  private live = true;
  /** [s] where the slider was put last. */
  private wanted = 0;

  constructor(private readonly link: Link) {
    this.element = h("div", { class: "replay-bar", hidden: true }, this.now, this.slider, this.end, this.goOn);
    link.on("world", () => {
      const range = link.hello?.replay ?? null;
      this.live = range === null;
      this.element.hidden = this.live;
      document.body.classList.toggle("replaying", !this.live);
      document.body.classList.remove("looking-back");
      if (range) [this.first, this.last] = range;
    });
  }

  update(frame: Frame): void {
    const time = frame.clock("time");
    if (this.live) this.offer(frame.clock("paused") > 0 && frame.clock("end") > 0);
    if (this.element.hidden || this.timer || performance.now() - this.sought < HELD) return;
    if (this.live) [this.first, this.last] = [0, frame.clock("end")];
    this.goOn.hidden = !this.live || time >= this.last - 1e-9;
    say(this.end, `${this.last.toFixed(1)} s`);
    const place = String(Math.round((STEPS * (time - this.first)) / (this.last - this.first || 1)));
    if (this.slider.value !== place) this.slider.value = place;
    this.show(time);
  }

  /** A world that stands still may be looked at in its past. */
  private offer(on: boolean): void {
    if (this.element.hidden !== on) return;
    this.element.hidden = !on;
    document.body.classList.toggle("looking-back", on);
  }

  private seek(): void {
    this.sought = performance.now();
    this.wanted = this.first + ((this.last - this.first) * Number(this.slider.value)) / STEPS;
    this.show(this.wanted);
    // A frame that comes in between must not change what was asked for.
    this.timer ||= setTimeout(() => {
      this.timer = 0;
      this.sought = performance.now();
      this.link.send({ kind: "seek", time: this.wanted });
    }, EVERY);
  }

  private show(time: number): void {
    this.slider.style.setProperty("--filled", `${(Number(this.slider.value) / STEPS) * 100}%`);
    say(this.now, `${time.toFixed(1)} s`);
  }
}
