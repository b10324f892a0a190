// Signals against each other, or the spectrum of signals: figures without a time axis.

import { digits, h, iconButton, say } from "../dom";
import type { Signal } from "../messages";
import { figureName, save } from "../save";
import { spectrum } from "../spectrum";
import type { Key, Timeline } from "../timeline";
import { COLORS } from "../colors";
import { short, ticks } from "./plot";
import { vectorFigure } from "./vector";

export type FigureKind = "#xy" | "#spectrum";
/** [ms] between two drawings. */
const EVERY = 400;
const MOST_POINTS = 4000;
const MOST_ROWS = 20000;

export interface Drawn {
  x: ArrayLike<number>;
  curves: { name: string; unit: string; values: ArrayLike<number> }[];
  note: string;
}

export class FigurePlot {
  readonly element: HTMLElement;
  private readonly box = h("div", { class: "figure-box", role: "img" });
  private readonly note = h("p", { class: "note" });
  private readonly title = h("div", { class: "legend" });
  private figure = "";
  private shown: Drawn | null = null;
  private drawnAt = -Infinity;

  /** `chosen`: names of signals; of an XY plot the first is along x. */
  constructor(
    readonly kind: FigureKind,
    public chosen: string[],
    private readonly timeline: Timeline,
    private readonly signals: () => Signal[],
    /** What is shown, and in which way its rows are fewer than what was simulated. */
    private readonly flight: () => { name: string; note: string },
    edit: (plot: FigurePlot) => void,
    remove: (plot: FigurePlot) => void,
  ) {
    this.element = h(
      "figure",
      { class: "plot" },
      h(
        "figcaption",
        {},
        this.title,
        iconButton("plus", "Add or remove signals", () => edit(this)),
        iconButton("vector", "Save as SVG", () => save(new Blob([this.figure], { type: "image/svg+xml" }), `${this.file}.svg`)),
        iconButton("download", "Save as CSV", () => this.saveTable()),
        iconButton("close", "Remove this plot", () => remove(this)),
      ),
      this.box,
      this.note,
    );
    this.rebuild();
  }

  /** As it is remembered. */
  get names(): string[] {
    return [this.kind, ...this.chosen];
  }

  set names(names: string[]) {
    this.chosen = names.filter((name) => name !== this.kind);
    this.rebuild();
  }

  private get file(): string {
    const known = this.signals();
    return figureName(this.flight().name, [this.kind.slice(1), ...this.chosen.map((name) => short(name, known))]);
  }

  rebuild(): void {
    const known = this.signals();
    const words = this.chosen.map((name) => short(name, known));
    const xy = words.length > 1 ? `${words.slice(1).join(", ")} against ${words[0]}` : "XY: choose two signals or more, the first is along x";
    say(this.title, this.kind === "#xy" ? xy : words.length ? `Spectrum of ${words.join(", ")}` : "Spectrum: choose signals");
    this.drawnAt = -Infinity;
  }

  /** Ask for the curves between two times [s] and draw them, not too often. */
  async update(since: number, until: number): Promise<void> {
    if (performance.now() - this.drawnAt < EVERY) return;
    this.drawnAt = performance.now();
    const known = this.signals();
    const keys = this.chosen.map((name): Key => (name.startsWith("=") ? name.slice(1) : known.findIndex((one) => one.name === name)));
    if (keys.includes(-1) || keys.length < (this.kind === "#xy" ? 2 : 1)) return;
    const xy = this.kind === "#xy";
    const found = await this.timeline.fetch(keys, since, until, xy ? MOST_POINTS : MOST_ROWS, "rows");
    if (!found) return;
    const units = this.chosen.map((name) => known.find((one) => one.name === name)?.unit ?? "");
    const curves = this.chosen.map((name, k) => ({ name, unit: units[k]!, values: found.columns[k + 1]! }));
    this.draw(xy ? against(curves, found.whole) : spectra(found.columns[0]!, curves, found.whole));
  }

  private draw(found: Drawn): void {
    const drawn = { ...found, note: [found.note, this.flight().note].filter(Boolean).join(" ") };
    this.shown = drawn;
    say(this.note, drawn.note);
    const x = span([drawn.x]);
    const y = span(drawn.curves.map(({ values }) => values));
    if (!x || !y) {
      this.box.replaceChildren();
      return;
    }
    const known = this.signals();
    const curves = drawn.curves.map(({ name, unit }, k) => ({ name: short(name, known), unit, color: COLORS[k % COLORS.length]! }));
    const data = [drawn.x, ...drawn.curves.map(({ values }) => values)];
    const figure = { curves, data, x, y, xTicks: ticks(x, this.kind === "#spectrum" ? " Hz" : ""), yTicks: ticks(y) };
    this.figure = vectorFigure({ ...figure, note: drawn.note });
    const seen = vectorFigure({ ...figure, note: "" }); // its note stands below it
    const parsed = new DOMParser().parseFromString(seen, "image/svg+xml").documentElement;
    this.box.setAttribute("aria-label", this.title.textContent);
    this.box.replaceChildren(document.importNode(parsed, true));
  }

  private saveTable(): void {
    if (!this.shown) return;
    const { x, curves, note } = this.shown;
    const head = [this.kind === "#spectrum" ? "frequency [Hz]" : this.chosen[0]!, ...curves.map(({ name, unit }) => `${name} [${unit}]`)];
    const rows = Array.from(x, (one, k) => [one, ...curves.map(({ values }) => values[k])].join(","));
    save(new Blob([[`# ${note}`, head.join(","), ...rows, ""].join("\n")], { type: "text/csv" }), `${this.file}.csv`);
  }
}

type Named = Drawn["curves"][number];

/** The first along x; rows stay in their order, so that a path is a path. */
export function against([first, ...others]: Named[], whole: boolean): Drawn {
  return { x: first!.values, curves: others, note: whole ? "Every row that was kept." : `One row in several: ${first!.values.length} of them.` };
}

/** Up to half the rate of the rows; a curve that has none says why. */
export function spectra(times: ArrayLike<number>, curves: Named[], whole: boolean): Drawn {
  const found = curves.map((one) => ({ one, of: spectrum(times, one.values) }));
  const good = found.filter(({ of }) => of !== null);
  const bad = found.filter(({ of }) => of === null).map(({ one }) => one.name);
  const highest = good[0]?.of?.frequencies.at(-1) ?? NaN;
  const notes = [
    good.length ? `Amplitudes under Hann's window up to ${digits(highest, 3)} Hz, half the rate of the rows.` : "",
    whole ? "" : "Not every row was asked for: what is faster is folded into it.",
    bad.length ? `No spectrum of ${bad.join(", ")}: fewer than 16 rows, or gaps.` : "",
  ];
  return {
    x: good[0]?.of?.frequencies ?? [],
    curves: good.map(({ one, of }) => ({ ...one, values: of!.amplitudes })),
    note: notes.filter(Boolean).join(" "),
  };
}

function span(all: ArrayLike<number>[]): [number, number] | null {
  let [low, high] = [Infinity, -Infinity];
  for (const values of all)
    for (let k = 0; k < values.length; k++)
      if (Number.isFinite(values[k])) [low, high] = [Math.min(low, values[k]!), Math.max(high, values[k]!)];
  if (!(high >= low)) return null;
  const room = high > low ? 0.04 * (high - low) : 0.5;
  return [low - room, high + room];
}
