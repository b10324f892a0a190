// The time of a recording.

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
    "aria-label": "Time of the recording",
    oninput: () => this.seek(),
  });
  private readonly now = h("output", {}, "0.0 s");
  private readonly end = h("span", {});
  private first = 0;
  private last = 1;
  private sought = 0;
  private timer = 0;

  constructor(private readonly link: Link) {
    this.element = h("div", { class: "replay-bar", hidden: true }, this.now, this.slider, this.end);
    link.on("world", () => {
      const range = link.hello?.replay ?? null;
      this.element.hidden = range === null;
      document.body.classList.toggle("replaying", range !== null);
      if (range) [this.first, this.last] = range;
      say(this.end, `${this.last.toFixed(1)} s`);
    });
  }

  update(frame: Frame): void {
    if (this.element.hidden || performance.now() - this.sought < HELD) return;
    const time = frame.clock("time");
    const place = String(Math.round((STEPS * (time - this.first)) / (this.last - this.first || 1)));
    if (this.slider.value !== place) this.slider.value = place;
    this.show(time);
  }

  private seek(): void {
    this.sought = performance.now();
    this.show(this.first + ((this.last - this.first) * Number(this.slider.value)) / STEPS);
    this.timer ||= setTimeout(() => {
      this.timer = 0;
      this.link.send({
        kind: "seek",
        time: this.first + ((this.last - this.first) * Number(this.slider.value)) / STEPS,
      });
    }, EVERY);
  }

  private show(time: number): void {
    this.slider.style.setProperty("--filled", `${(Number(this.slider.value) / STEPS) * 100}%`);
    say(this.now, `${time.toFixed(1)} s`);
  }
}
