// The time of a run or a recording: a thin line while it goes on, a bar with a slider while it stands; marks of what happened.

import { h, say } from "../dom";
import type { Frame } from "../frame";
import type { Link } from "../link";
import { type RunEvents, said } from "../run_events";

const STEPS = 2000;
/** [ms] between two seeks while the slider is dragged. */
const EVERY = 60;
/** [ms] after a drag before frames move the slider again. */
const HELD = 300;
/** [ms] between two drawings of the marks of a run that goes on. */
const MARKS_EVERY = 250;
/** [px] around a mark in which its words are shown. */
const NEAR = 6;
/** [px] half of the knob: the slider's ends are that far from its edges. */
const KNOB = 7;

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
    onpointermove: (event) => this.point(event as PointerEvent),
  });
  private readonly marks = h("canvas", { class: "marks", "aria-hidden": "true" });
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
  private drawnAt = 0;
  private drawn = "";

  constructor(
    private readonly link: Link,
    private readonly events: RunEvents,
  ) {
    const track = h("div", { class: "time-track" }, this.marks, this.slider);
    this.element = h("div", { class: "replay-bar", hidden: true }, this.now, track, this.end, this.goOn);
    link.on("world", () => {
      const range = link.hello?.replay ?? null;
      this.live = range === null;
      this.element.hidden = this.live;
      document.body.classList.toggle("replaying", !this.live);
      document.body.classList.remove("looking-back", "going-on");
      if (range) [this.first, this.last] = range;
    });
    events.onChange(() => (this.drawnAt = 0));
  }

  update(frame: Frame): void {
    const time = frame.clock("time");
    if (this.live) this.offer(frame.clock("end") > 0, frame.clock("paused") > 0);
    if (this.element.hidden || this.timer || performance.now() - this.sought < HELD) return;
    if (this.live) [this.first, this.last] = [0, frame.clock("end")];
    this.goOn.hidden = !this.live || time >= this.last - 1e-9;
    say(this.end, `${this.last.toFixed(1)} s`);
    const place = String(Math.round((STEPS * (time - this.first)) / (this.last - this.first || 1)));
    if (this.slider.value !== place) this.slider.value = place;
    this.show(time);
    this.mark();
  }

  /** A run that goes on has a thin line of its time; while it stands still the bar has room for more. */
  private offer(begun: boolean, stands: boolean): void {
    this.element.hidden = !begun;
    document.body.classList.toggle("looking-back", begun && stands);
    document.body.classList.toggle("going-on", begun && !stands);
  }

  private seek(): void {
    const { frame } = this.link;
    if (this.live && frame && !frame.clock("paused")) this.link.send({ kind: "pause", paused: true });
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

  /** The words of what happened under the pointer. */
  private point(event: PointerEvent): void {
    const reach = Math.max(1, this.slider.clientWidth - 2 * KNOB);
    const seconds = (this.last - this.first) / reach;
    const found = this.events.near(this.first + (event.offsetX - KNOB) * seconds, NEAR * seconds);
    this.slider.title = found ? said(found) : "";
  }

  private mark(): void {
    const now = performance.now();
    if (now - this.drawnAt < MARKS_EVERY) return;
    this.drawnAt = now;
    const { clientWidth: width, clientHeight: height } = this.marks;
    const { all } = this.events;
    const state = [all.length, all.at(-1)?.time, this.first, this.last, width, height].join(" ");
    if (!width || state === this.drawn) return;
    this.drawn = state;
    [this.marks.width, this.marks.height] = [width, height];
    const pen = this.marks.getContext("2d");
    if (!pen) return;
    const style = getComputedStyle(document.documentElement);
    const [ink, red] = [style.getPropertyValue("--muted"), style.getPropertyValue("--danger")];
    for (const { time, alarm } of all) {
      pen.fillStyle = alarm ? red : ink;
      pen.fillRect(Math.round(placeOf(time, this.first, this.last, width)) - 1, 0, 2, height);
    }
  }
}

/** [px] of a time on a bar of some width. */
export function placeOf(time: number, first: number, last: number, width: number): number {
  return KNOB + ((width - 2 * KNOB) * (time - first)) / (last - first || 1);
}
