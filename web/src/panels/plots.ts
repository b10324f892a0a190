// All plots of a scenario, remembered with it.

import { h, icon, say } from "../dom";
import { goTo, type Link } from "../link";
import type { Signal } from "../messages";
import { type FigureKind, FigurePlot } from "./figure_plot";
import { Plot, short } from "./plot";
import type { RunEvents } from "../run_events";
import { SignalPicker } from "./signal_picker";
import { Timeline } from "../timeline";
import { recall, remember } from "../remembered";

const STORE = "cupola.plots.";
/** [ms] between two drawings, and of a world that stands. */
const EVERY = 100;
const EVERY_STILL = 300;
const SPANS = [5, 10, 30, 60];
const ALL = "all";
/** Rows of an answer for each pixel of a plot: the least and the greatest value. */
const PER_PIXEL = 2;
const EVERY_ROW =
  "Each curve is made of every row that was kept; where they are more than pixels, the least and the greatest are drawn.";

export class Plots {
  readonly element: HTMLElement;
  private readonly timeline: Timeline;
  private readonly list = h("div", { class: "plots" });
  private readonly hold = h(
    "button",
    { type: "button", class: "button", "aria-pressed": "false", onclick: () => this.pause() },
    "Pause",
  );
  private readonly spans = h(
    "select",
    { "aria-label": "Time shown" },
    ...SPANS.map((seconds) => h("option", { value: seconds }, `${seconds} s`)),
    h("option", { value: ALL }, "all"),
  );
  private readonly note = h("span", {});
  private readonly picker: SignalPicker;
  private plots: (Plot | FigurePlot)[] = [];
  /** What the server says of expressions, for this world. */
  private formulas = new Map<string, { unit: string; error: string }>();
  private readonly more = h("select", { "aria-label": "Another kind of plot", onchange: () => this.addMore() });
  private paused = false;
  private drawnAt = 0;
  private asking = false;

  constructor(
    private readonly link: Link,
    private readonly events: RunEvents,
  ) {
    this.spans.value = "10";
    this.timeline = new Timeline(link);
    this.picker = new SignalPicker(() => this.link.hello?.signals ?? [], async (formula) => (await this.derive(formula)).error);
    this.element = h(
      "div",
      {},
      h(
        "div",
        { class: "tools sticky plot-tools" },
        h("button", { type: "button", class: "button primary", "aria-label": "New plot", onclick: () => this.add() }, icon("plus"), "Plot"),
        this.more,
        this.hold,
        this.spans,
      ),
      this.list,
      h(
        "p",
        { class: "note" },
        "Drag in a plot to zoom, double click to go on, click to go to a moment. ",
        this.note,
      ),
      this.picker.element,
    );
    link.on("world", () => this.welcome());
    link.on("vehicle", () => this.follow());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
      this.plots.forEach((plot) => plot.rebuild()),
    );
  }

  /** [s] of the moment that all curves show. */
  moment = NaN;

  update(): void {
    const now = performance.now();
    const { frame } = this.link;
    // A moment that somebody went to is shown at once; while time goes on, faster cannot be read.
    const jumped = frame !== null && frame.clock("paused") > 0 && frame.clock("time") !== this.moment;
    const every = frame && frame.clock("paused") > 0 ? EVERY_STILL : EVERY;
    if (this.paused || this.asking || (now - this.drawnAt < every && !jumped)) return;
    this.drawnAt = now;
    void this.draw();
  }

  /** Ask for all curves that are shown, once, and draw them. */
  private async draw(): Promise<void> {
    const { frame, hello } = this.link;
    const shown = this.plots.filter((plot) => plot instanceof Plot).filter((plot) => plot.follows);
    if (!frame || !hello) return;
    const [since, until] = this.range(frame.clock("time"), hello.replay?.[0] ?? 0, frame.clock("end"));
    for (const plot of this.plots) if (plot instanceof FigurePlot) void plot.update(since, until);
    if (!shown.length) return;
    const keys = [...new Set(shown.flatMap((plot) => plot.keys))];
    const points = PER_PIXEL * Math.max(...shown.map((plot) => plot.width));
    this.asking = true;
    try {
      const found = await this.timeline.fetch(keys, since, until, points);
      if (!found || this.paused || hello !== this.link.hello) return;
      for (const plot of shown) {
        const columns = [0, ...plot.keys.map((key) => 1 + keys.indexOf(key))];
        const taken = columns.map((k) => found.columns[k]);
        // Signals may have been chosen anew while the answer was on its way.
        if (taken.every((column) => column !== undefined)) plot.draw({ columns: taken, whole: found.whole }, since, until, frame.clock("time"));
      }
      this.moment = frame.clock("time");
    } finally {
      this.asking = false;
    }
  }

  /** Of time [s], that is shown: the last seconds, or all; where one looks back, around the moment that is shown. */
  private range(now: number, first: number, last: number): [number, number] {
    if (this.spans.value === ALL) return [first, Math.max(last, first + 1)];
    const span = Number(this.spans.value);
    const end = Math.min(Math.max(last, now), now + span / 2);
    const since = Math.max(first, end - span);
    return [since, Math.max(since + span, end)];
  }

  private welcome(): void {
    if (this.link.hello?.replay) this.spans.value = ALL;
    const { note } = this.link.hello ?? {};
    say(this.note, this.link.hello?.replay ? note || EVERY_ROW : `${EVERY_ROW} ${note ?? ""}`);
    this.formulas.clear();
    this.offer();
    this.show(this.remembered());
  }

  private get flight(): { name: string; note: string } {
    const { scenario, note } = this.link.hello ?? {};
    return { name: scenario ?? "", note: note ?? "" };
  }

  /** Names of the signals of each plot. */
  get names(): string[][] {
    return this.plots.map((plot) => plot.names).filter((names) => names.length);
  }

  show(all: string[][]): void {
    this.plots = [];
    this.list.replaceChildren();
    for (const names of all) this.make(names);
  }

  /** Seconds that are shown, or `all`. */
  get span(): string {
    return this.spans.value;
  }

  set span(wanted: string) {
    if ([...this.spans.options].some(({ value }) => value === wanted)) this.spans.value = wanted;
  }

  private make(names: string[]): Plot | FigurePlot {
    const kind = names[0];
    if (kind === "#xy" || kind === "#spectrum") return this.makeFigure(kind, names.slice(1));
    const plot = new Plot(
      names,
      this.timeline,
      () => this.link.hello?.signals ?? [],
      () => this.flight,
      (formula) => this.known(formula),
      this.events,
      (time) => goTo(this.link, time),
      (one) => this.choose(one),
      (one) => this.remove(one),
    );
    this.plots.push(plot);
    this.list.append(plot.element);
    plot.rebuild();
    return plot;
  }

  private makeFigure(kind: FigureKind, chosen: string[]): FigurePlot {
    const plot = new FigurePlot(
      kind,
      chosen,
      this.timeline,
      () => this.link.hello?.signals ?? [],
      () => this.flight,
      (one) => this.choose(one),
      (one) => this.remove(one),
    );
    this.plots.push(plot);
    this.list.append(plot.element);
    return plot;
  }

  /** What is known of an expression; else it is asked for, and drawn when the answer comes. */
  private known(formula: string): { unit: string; error: string } | null {
    const found = this.formulas.get(formula) ?? null;
    if (!found) void this.derive(formula).then(() => this.plots.filter((plot) => plot.names.includes(`=${formula}`)).forEach((plot) => plot.rebuild()));
    return found;
  }

  private async derive(formula: string): Promise<{ unit: string; error: string }> {
    const { hello } = this.link;
    const found = await this.timeline.derive(formula);
    if (hello === this.link.hello) this.formulas.set(formula, found);
    return found;
  }

  /** XY, spectrum, and each set-point of the vehicle with what is to follow it. */
  private offer(): void {
    const groups = setpointGroups(this.link.hello?.signals ?? []);
    this.more.replaceChildren(
      h("option", { value: "" }, "More…"),
      h("option", { value: "#xy" }, "XY"),
      h("option", { value: "#spectrum" }, "Spectrum"),
      ...[...groups].map(([name, names]) => h("option", { value: names.join(" ") }, `Set-point: ${name}`)),
    );
  }

  private addMore(): void {
    const names = this.more.value.split(" ").filter(Boolean);
    this.more.value = "";
    if (!names.length) return;
    const plot = this.make(names);
    plot.element.scrollIntoView({ block: "nearest" });
    if (plot instanceof FigurePlot) this.choose(plot);
    this.remember();
  }

  private add(): void {
    this.choose(this.make([]));
  }

  private choose(plot: Plot | FigurePlot): void {
    this.picker.open(plot instanceof FigurePlot ? plot.chosen : plot.names, (names) => {
      plot.names = names;
      plot.rebuild();
      this.remember();
    });
  }

  private remove(plot: Plot | FigurePlot): void {
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
    remember(this.key, JSON.stringify(this.plots.map((plot) => plot.names)));
  }

  /** Another vehicle is chosen: the usual plots are its own from now on; those that somebody chose stay. */
  private follow(): void {
    const { scene, hello, vehicle } = this.link;
    const usual = (scene?.vehicles ?? []).map(({ name }) => JSON.stringify(usualPlots(name, hello?.signals ?? [])));
    if (usual[vehicle] && usual.includes(JSON.stringify(this.names))) this.show(JSON.parse(usual[vehicle]) as string[][]);
  }

  /** What was plotted last time, else place, speed and attitude of the vehicle that is looked at. */
  private remembered(): string[][] {
    try {
      const kept = JSON.parse(recall(this.key) ?? "null") as string[][] | null;
      if (Array.isArray(kept)) return kept;
    } catch {
      // Written by something else: start over.
    }
    return usualPlots(this.link.vehicleInfo?.name ?? "", this.link.hello?.signals ?? []);
  }
}

/** By the name of a group, as `assisted velocity`: its set-points, each beside the signal that is to follow it. */
export function setpointGroups(signals: Signal[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { name, setpoint_of: follows } of signals) {
    if (!follows) continue;
    const words = short(name, signals).replace("controller.", "").split(".");
    const group = (words.length > 1 && !["assisted", "raw"].includes(words.at(-2)!) ? words.slice(0, -1) : words).join(" ");
    groups.set(group, [...(groups.get(group) ?? []), name, follows]);
  }
  return groups;
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
