// One plot of some signals over time: scrolls, stops, zooms, tells values, and can be taken away.

import uPlot from "uplot";

import { COLORS } from "../colors";
import { axisWords, digits, h, iconButton, say } from "../dom";
import { lastBefore } from "../flown";
import type { Signal } from "../messages";
import { type RunEvents, said } from "../run_events";
import { figureName, save } from "../save";
import { gapped, lonely } from "./gaps";
import { aboutRows, type Tick, vectorFigure, wrapped } from "./vector";
import type { Curves, Key, Timeline } from "../timeline";

const HEIGHT = 170;
/** [pixels] from which a press is a drag. */
const DRAG = 3;
/** [pixels] around the line of an event in which its words are shown. */
const NEAR = 5;

interface Shown {
  key: Key;
  name: string;
  unit: string;
  /** Why it is not drawn. */
  error: string;
  /** A set-point. */
  dashed: boolean;
}

export class Plot {
  readonly element: HTMLElement;
  names: string[];
  private chart: uPlot | null = null;
  private readonly box = h("div", { class: "plot-box" });
  private readonly legend = h("div", { class: "legend" });
  private readonly note = h("p", { class: "note plot-note", role: "status", hidden: true });
  private values: HTMLElement[] = [];
  private curves: Shown[] = [];
  /** Whether somebody zoomed in: it stands still until a double click. */
  private zoomed = false;
  private cursor: number | null = null;
  /** The moment that is shown [s]. */
  private now = 0;
  /** [s] from when to when the last picture was. */
  private drawn: [number, number] | null = null;
  /** Whether the curves have every row. */
  private whole = true;

  constructor(
    names: string[],
    private readonly timeline: Timeline,
    private readonly signals: () => Signal[],
    /** What is shown, and in which way its rows are fewer than what was simulated. */
    private readonly flight: () => { name: string; note: string },
    /** Unit of an expression, or what is wrong with it; null: not known yet. */
    private readonly derived: (formula: string) => { unit: string; error: string } | null,
    private readonly events: RunEvents,
    private readonly seek: (time: number) => void,
    private readonly edit: (plot: Plot) => void,
    remove: (plot: Plot) => void,
  ) {
    this.names = names;
    this.element = h(
      "figure",
      { class: "plot" },
      h(
        "figcaption",
        {},
        this.legend,
        iconButton("plus", "Add or remove signals", () => this.edit(this)),
        iconButton("camera", "Save as PNG", () => this.savePicture()),
        iconButton("vector", "Save as SVG", () => this.saveVector()),
        iconButton("download", "Save every row as CSV", () => void this.saveTable()),
        iconButton("close", "Remove this plot", () => remove(this)),
      ),
      this.box,
      this.note,
    );
    new ResizeObserver(() => this.fit()).observe(this.box);
  }

  /** Draw anew, for other signals. */
  rebuild(): void {
    const known = this.signals();
    const all = this.names.map((name) => this.find(name, known)).filter((one) => one !== null);
    const found = all.filter(({ error }) => !error);
    this.curves = found;
    this.chart?.destroy();
    this.chart = null;
    this.zoomed = false;
    this.values = found.map(() => h("b", {}, "–"));
    this.legend.replaceChildren(
      ...found.map(({ name, unit, dashed }, s) =>
        h(
          "span",
          { class: "series", title: dashed ? `${name}, a set-point` : name },
          h("i", { style: `background:${COLORS[s % COLORS.length]}` }),
          h("span", {}, short(name, known)),
          this.values[s]!,
          h("small", {}, unit === "1" ? "" : unit),
        ),
      ),
      ...all.filter(({ error }) => error).map(({ name, error }) => h("span", { class: "series wrong", role: "status" }, `${name}: ${error}`)),
    );
    if (!found.length)
      this.legend.append(
        h("button", { type: "button", class: "button small", onclick: () => this.edit(this) }, "Choose signals"),
      );
    this.box.hidden = !found.length;
    if (!found.length) return;
    const style = getComputedStyle(document.documentElement);
    const [ink, line] = [style.getPropertyValue("--muted"), style.getPropertyValue("--line")];
    const axis = {
      stroke: ink,
      grid: { stroke: line, width: 1 },
      ticks: { show: false },
      font: "11px system-ui, sans-serif",
    };
    this.chart = new uPlot(
      {
        width: Math.max(200, this.box.clientWidth),
        height: HEIGHT,
        legend: { show: false },
        pxAlign: 0,
        cursor: { y: false, points: { size: 6 }, sync: { key: "cupola" }, drag: { x: true, y: false, setScale: true } },
        scales: { x: { time: false }, y: { range: room } },
        axes: [
          { ...axis, size: 26, values: (_, ticks) => axisWords(ticks, 6).map((word) => `${word} s`) },
          {
            ...axis,
            size: axisWidth,
            values: (_, ticks) => axisWords(ticks),
          },
        ],
        series: [
          {},
          ...found.map(({ name, dashed }, s) => ({
            label: name,
            ...(dashed ? { dash: [6, 4] } : {}),
            stroke: COLORS[s % COLORS.length]!,
            width: 1.5,
            points: { show: true, size: 5, fill: COLORS[s % COLORS.length]!, filter: (chart: uPlot, k: number) => lonely(chart.data[k]!) },
          })),
        ],
        hooks: {
          setCursor: [
            (chart) => {
              this.cursor = chart.cursor.idx ?? null;
              this.tell();
              this.point(chart);
            },
          ],
          setSelect: [(chart) => void this.zoom(chart)],
          draw: [(chart) => this.markEvents(chart), (chart) => this.markNow(chart)],
        },
      },
      [new Float64Array(0), ...found.map(() => new Float64Array(0))],
      this.box,
    );
    this.chart.over.addEventListener("dblclick", () => (this.zoomed = false));
    let pressed = 0;
    this.chart.over.addEventListener("pointerdown", (event) => (pressed = event.clientX));
    this.chart.over.addEventListener("click", (event) => {
      const dragged = Math.abs(event.clientX - pressed) > DRAG;
      if (!dragged && !this.zoomed) this.seek(this.chart!.posToVal(event.offsetX, "x"));
    });
  }

  /** Whether it moves on with time. */
  get follows(): boolean {
    return this.chart !== null && !this.zoomed && this.width > 0;
  }

  /** [pixels]. */
  get width(): number {
    return this.box.clientWidth;
  }

  get keys(): Key[] {
    return this.curves.map(({ key }) => key);
  }

  /** A signal by its name, or an expression after "="; null: there is no such signal. */
  private find(name: string, known: Signal[]): Shown | null {
    if (name.startsWith("=")) {
      const formula = name.slice(1);
      const { unit, error } = this.derived(formula) ?? { unit: "", error: "…" };
      return { key: formula, name: formula, unit, error, dashed: false };
    }
    const k = known.findIndex((signal) => signal.name === name);
    return k < 0 ? null : { key: k, name, unit: known[k]!.unit, error: "", dashed: Boolean(known[k]!.setpoint_of) };
  }

  /** Times and values of its signals, from `since` to `until` [s]. */
  draw(found: Curves, since: number, until: number, now: number): void {
    if (!this.chart || this.zoomed) return;
    this.now = now;
    this.drawn = [since, until];
    this.put(this.chart, found, since, until);
    this.tell();
  }

  private put(chart: uPlot, { columns: data, whole }: Curves, since: number, until: number): void {
    this.whole = whole;
    chart.batch(() => {
      chart.setData(data.map(gapped) as uPlot.AlignedData, false);
      chart.setScale("x", { min: since, max: until });
    });
    this.say(data[0]?.length === 1 ? "1 sample" : "");
  }

  /** Below the curves; empty: nothing. */
  private say(words: string): void {
    say(this.note, words);
    this.note.hidden = !words;
  }

  /** What was zoomed into is asked for again, in more rows. */
  private async zoom(chart: uPlot): Promise<void> {
    if (!chart.select.width) return;
    this.zoomed = true;
    const { left, width } = chart.select;
    const [since, until] = [chart.posToVal(left, "x"), chart.posToVal(left + width, "x")];
    const found = await this.timeline.fetch(this.keys, since, until, 2 * this.width);
    if (!found || chart !== this.chart) return;
    this.put(chart, found, since, until);
  }

  /** A line at the moment that is shown, where the curves go on after it. */
  private markNow(chart: uPlot): void {
    const { min, max } = chart.scales["x"]!;
    const [times] = chart.data;
    const goesOn = (times[times.length - 1] ?? 0) > this.now;
    if (!goesOn || min === undefined || max === undefined || this.now <= min || this.now >= max) return;
    const x = Math.round(chart.valToPos(this.now, "x", true));
    chart.ctx.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--accent");
    chart.ctx.fillRect(x, chart.bbox.top, Math.max(1, devicePixelRatio), chart.bbox.height);
  }

  /** Dotted lines where something happened. */
  private markEvents(chart: uPlot): void {
    const { min, max } = chart.scales["x"]!;
    if (min === undefined || max === undefined) return;
    const style = getComputedStyle(document.documentElement);
    const { ctx: pen, bbox } = chart;
    pen.save();
    pen.lineWidth = Math.max(1, devicePixelRatio);
    pen.setLineDash([2 * pen.lineWidth, 3 * pen.lineWidth]);
    for (const { time, alarm } of this.events.all) {
      if (time < min || time > max) continue;
      const x = Math.round(chart.valToPos(time, "x", true));
      pen.strokeStyle = style.getPropertyValue(alarm ? "--danger" : "--muted");
      pen.beginPath();
      pen.moveTo(x, bbox.top);
      pen.lineTo(x, bbox.top + bbox.height);
      pen.stroke();
    }
    pen.restore();
  }

  /** The words of what happened at the cursor. */
  private point(chart: uPlot): void {
    const { min, max } = chart.scales["x"]!;
    const { left } = chart.cursor;
    const near = left !== undefined && left >= 0 && min !== undefined && max !== undefined;
    const found = near ? this.events.near(chart.posToVal(left, "x"), (NEAR * (max - min)) / (this.width || 1)) : null;
    const words = found ? said(found) : "";
    if (chart.over.title !== words) chart.over.title = words;
  }

  private fit(): void {
    if (this.chart && this.box.clientWidth && this.chart.width !== this.box.clientWidth)
      this.chart.setSize({ width: this.box.clientWidth, height: HEIGHT });
  }

  /** Values at the cursor, else at the moment that is shown. */
  private tell(): void {
    const data = this.chart?.data;
    if (!data) return;
    const at = this.cursor ?? lastBefore(data[0], this.now);
    this.values.forEach((value, s) => {
      const text = digits(data[s + 1]?.[at] ?? NaN, 4);
      if (value.textContent !== text) value.textContent = text;
    });
  }

  /** What is to be known of the curves that are drawn. */
  private get about(): string {
    return aboutRows(this.chart?.data[0] ?? [], this.whole, this.flight().note);
  }

  private savePicture(): void {
    const drawn = this.chart?.ctx.canvas;
    if (!drawn) return;
    const line = 16 * devicePixelRatio;
    const head = line * (this.curves.length + 0.5);
    const below = wrapped(this.about, Math.floor(drawn.width / (0.34 * line)));
    const paper = h("canvas", { width: drawn.width, height: drawn.height + head + line * (below.length && below.length + 0.5) });
    const pen = paper.getContext("2d")!;
    const style = getComputedStyle(document.documentElement);
    pen.fillStyle = style.getPropertyValue("--surface");
    pen.fillRect(0, 0, paper.width, paper.height);
    pen.drawImage(drawn, 0, head);
    pen.font = `${0.75 * line}px system-ui, sans-serif`;
    this.curves.forEach(({ name, unit }, s) => {
      pen.fillStyle = COLORS[s % COLORS.length]!;
      pen.fillText(`${name} [${unit}]`, 0.5 * line, line * (s + 1));
    });
    pen.fillStyle = style.getPropertyValue("--muted");
    pen.font = `${0.62 * line}px system-ui, sans-serif`;
    below.forEach((text, k) => pen.fillText(text, 0.5 * line, head + drawn.height + line * (k + 0.8)));
    paper.toBlob((blob) => blob && save(blob, this.file("png")));
  }

  private saveVector(): void {
    const { chart } = this;
    const [x, y] = [range(chart?.scales["x"]), range(chart?.scales["y"])];
    if (!chart || !x || !y) return;
    const curves = this.curves.map(({ name, unit }, s) => ({ name, unit, color: COLORS[s % COLORS.length]! }));
    const figure = vectorFigure({ curves, data: chart.data, x, y, xTicks: ticks(x, " s"), yTicks: ticks(y), note: this.about });
    save(new Blob([figure], { type: "image/svg+xml" }), this.file("svg"));
  }

  /** Every row of the time that is shown. */
  private async saveTable(): Promise<void> {
    const shown = range(this.chart?.scales["x"]) ?? this.drawn; // a chart that was just made anew shows no time yet
    if (!shown) return;
    const found = await this.timeline.fetch(this.keys, ...shown, 0);
    if (!found) {
      this.say("Nothing was saved: the simulation did not answer. Try again.");
      return;
    }
    const notes = [found.whole ? "" : "rows were thinned: least and greatest values", this.flight().note];
    const head = notes.filter(Boolean).map((note) => `# ${note}\n`);
    save(new Blob([...head, table(this.curves, found.columns)], { type: "text/csv" }), this.file("csv"));
  }

  /** A name for a file, with the signals as the legend has them. */
  private file(ending: string): string {
    const known = this.signals();
    return `${figureName(this.flight().name, this.curves.map(({ name }) => short(name, known)))}.${ending}`;
  }
}

function range(scale: { min?: number | null; max?: number | null } | undefined): [number, number] | null {
  const { min, max } = scale ?? {};
  return typeof min === "number" && typeof max === "number" && max > min ? [min, max] : null;
}

/** [pixels] beside a plot for the numbers of its axis. */
export function axisWidth(_: uPlot, words: string[] | null): number {
  return 14 + 6.5 * Math.max(3, ...(words ?? []).map((word) => word.length));
}

/** Round numbers of an axis, four to ten of them. */
export function ticks([low, high]: [number, number], unit = ""): Tick[] {
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  const values = Array.from({ length: Math.max(0, count) }, (_, k) => (first + k) * step);
  const words = axisWords(values, 6);
  return values.map((value, k) => ({ at: (value - low) / (high - low), text: words[k]! + unit }));
}

/** Time and signals as CSV. */
export function table(signals: Pick<Signal, "name" | "unit">[], columns: readonly ArrayLike<number | null | undefined>[]): string {
  const head = ["time [s]", ...signals.map(({ name, unit }) => `${name} [${unit}]`)].join(",");
  const rows = Array.from(columns[0] ?? [], (_, k) => columns.map((column) => column[k]).join(","));
  return [head, ...rows, ""].join("\n");
}

/** Without the vehicle, where there is one only. */
export function short(name: string, signals: Signal[]): string {
  const vehicle = name.slice(0, name.indexOf(".") + 1);
  return signals.every((signal) => signal.name.startsWith(vehicle)) ? name.slice(vehicle.length) : name;
}

/** Room above and below; what rounding leaves of a constant is not blown up. */
export function room(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [-1, 1];
  const span = high - low > 1e-9 ? high - low : 1;
  const middle = (low + high) / 2;
  return [middle - 0.56 * span, middle + 0.56 * span];
}
