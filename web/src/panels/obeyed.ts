// Channels that a vehicle obeys and that nobody else sets now: a slider each, called as what hangs on it.

import { block, h, say } from "../dom";
import type { Frame } from "../frame";
import type { Sticks } from "../input/sticks";
import { goesByHand, type Link } from "../link";
import type { Obeyed } from "../messages";
import { Slider } from "./slider";

/** [ms] for a value that was set to come back in a frame: meanwhile the slider stays where it was put. */
const ANSWER = 500;

const LOCKED = "Whoever started this has locked the modes that are flown by hand.";

interface Row {
  slider: Slider;
  /** Of the signal with the present command. */
  signal: number;
  setAt: number;
}

export class ObeyedChannels {
  readonly element: HTMLElement;
  private readonly list = h("div");
  private readonly note = h("p", { class: "note" });
  private rows: Row[] = [];
  private listed = "";

  constructor(
    private readonly link: Link,
    private readonly sticks: Pick<Sticks, "forget">,
  ) {
    this.element = block("Set by hand", this.list, this.note);
    for (const event of ["world", "vehicle", "changed"] as const) link.on(event, () => this.show());
  }

  /** What the channels are given now. */
  update(frame: Frame): void {
    const [now, signals] = [performance.now(), frame.get("signals")];
    const off = this.link.hello?.replay != null || frame.clock("emergency") > 0 || !goesByHand(this.link);
    for (const { slider, signal, setAt } of this.rows) {
      slider.disabled = off;
      const value = signals[signal] ?? NaN;
      if (now - setAt > ANSWER && Number.isFinite(value) && value !== slider.value) slider.show(value);
    }
  }

  private show(): void {
    const { link } = this;
    const info = link.vehicleInfo;
    const found = info?.obeyed[info.modes.indexOf(link.mode)] ?? [];
    const text = JSON.stringify([info?.name, found, link.hello?.signals.length, link.hello?.replay]);
    if (text === this.listed) return;
    this.listed = text;
    this.element.hidden = !found.length;
    const names = found.map(({ name }) => name);
    this.rows = found.map((one) => this.row(one, info!.name, names.filter((name) => name === one.name).length > 1));
    this.list.replaceChildren(...this.rows.map(({ slider }) => slider.element));
    const live = goesByHand(link) ? "A channel stays where it is put, until you start over." : LOCKED;
    say(this.note, link.hello?.replay != null ? "A recording is shown: this is what was set." : live);
  }

  private row({ channel, name, low, high, unit, default: rest, stick }: Obeyed, vehicle: string, shared: boolean): Row {
    const called = name.replaceAll("_", " ") + (shared ? `, channel ${channel}` : "");
    const parameter = { name: called, value: rest, default: rest, low, high, unit, about: "" };
    const row: Row = {
      setAt: -Infinity,
      signal: this.link.signal(`${vehicle}.command.${channel}`),
      slider: new Slider(parameter, (value) => {
        row.setAt = performance.now();
        if (stick) this.sticks.forget();
        return this.link.send({ kind: "turn", vehicle: this.link.vehicle, channel, value });
      }),
    };
    row.slider.element.title = `Channel ${channel}`;
    return row;
  }
}
