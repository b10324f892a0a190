// All plots of a scenario, remembered with it.

import { h, icon, say } from "../dom";
import { History } from "../history";
import type { Link } from "../link";
import type { Signal } from "../messages";
import { Plot } from "./plot";
import { SignalPicker } from "./signal_picker";

const STORE = "cupola.plots.";
/** [ms] between two drawings. */
const EVERY = 100;
const SPANS = [5, 10, 30, 60];

export class Plots {
  readonly element: HTMLElement;
  private readonly history = new History();
  private readonly list = h("div", { class: "plots" });
  private readonly hold = h(
    "button",
    { type: "button", class: "button", "aria-pressed": "false", onclick: () => this.pause() },
    "Pause",
  );
  private readonly span = h(
    "select",
    { "aria-label": "Time shown" },
    ...SPANS.map((seconds) => h("option", { value: seconds }, `${seconds} s`)),
  );
  private readonly picker: SignalPicker;
  private plots: Plot[] = [];
  private paused = false;
  private drawnAt = 0;

  constructor(private readonly link: Link) {
    this.span.value = "10";
    this.picker = new SignalPicker(() => this.link.hello?.signals ?? []);
    this.element = h(
      "div",
      {},
      h(
        "div",
        { class: "tools sticky plot-tools" },
        h("button", { type: "button", class: "button primary", onclick: () => this.add() }, icon("plus"), "New plot"),
        this.hold,
        this.span,
      ),
      this.list,
      h(
        "p",
        { class: "note" },
        "Drag in a plot to zoom, double click to go on. Plots are remembered with the scenario.",
      ),
      this.picker.element,
    );
    link.on("world", () => this.welcome());
    link.on("frame", (frame) => this.history.add(frame));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
      this.plots.forEach((plot) => plot.rebuild()),
    );
  }

  update(): void {
    const now = performance.now();
    if (this.paused || now - this.drawnAt < EVERY) return;
    this.drawnAt = now;
    for (const plot of this.plots) plot.update(Number(this.span.value));
  }

  private welcome(): void {
    this.history.restart(this.link.hello?.signals.length ?? 0);
    this.plots = [];
    this.list.replaceChildren();
    for (const names of this.remembered()) this.make(names);
  }

  private make(names: string[]): Plot {
    const plot = new Plot(
      names,
      this.history,
      () => this.link.hello?.signals ?? [],
      (one) => this.choose(one),
      (one) => this.remove(one),
    );
    this.plots.push(plot);
    this.list.append(plot.element);
    plot.rebuild();
    return plot;
  }

  private add(): void {
    this.choose(this.make([]));
  }

  private choose(plot: Plot): void {
    this.picker.open(plot.names, (names) => {
      plot.names = names;
      plot.rebuild();
      this.remember();
    });
  }

  private remove(plot: Plot): void {
    this.plots = this.plots.filter((one) => one !== plot);
    plot.element.remove();
    this.remember();
  }

  private pause(): void {
    this.paused = !this.paused;
    this.hold.setAttribute("aria-pressed", String(this.paused));
    say(this.hold, this.paused ? "Go on" : "Pause");
  }

  private get key(): string {
    return STORE + (this.link.hello?.scenario ?? "");
  }

  private remember(): void {
    localStorage.setItem(this.key, JSON.stringify(this.plots.map((plot) => plot.names)));
  }

  /** What was plotted last time, else place, speed and attitude of the first vehicle. */
  private remembered(): string[][] {
    try {
      const kept = JSON.parse(localStorage.getItem(this.key) ?? "null") as string[][] | null;
      if (Array.isArray(kept)) return kept;
    } catch {
      // Written by something else: start over.
    }
    return usualPlots(this.link.scene?.vehicles[0]?.name ?? "", this.link.hello?.signals ?? []);
  }
}

/** Place, speed and attitude, as far as there are such signals. */
export function usualPlots(vehicle: string, signals: Signal[]): string[][] {
  const known = new Set(signals.map(({ name }) => name));
  const usual = [
    ["position.x", "position.y", "position.z"],
    ["speed", "velocity.z"],
    ["attitude.roll", "attitude.pitch", "attitude.yaw"],
  ];
  return usual
    .map((group) => group.map((name) => `${vehicle}.${name}`).filter((name) => known.has(name)))
    .filter((group) => group.length);
}
