// Runs over each other: one signal of each, their figures, and their vehicles as ghosts in the view.

import uPlot from "uplot";

import { axisWords, block, digits, h, iconButton, say } from "../dom";
import { axisWidth } from "./plot";
import type { Link } from "../link";
import { apart, respond } from "../response";
import { NOW_COLOR } from "../colors";
import { gapped, lonely } from "./gaps";
import { type Run, type Runs, signalIn } from "../runs";
import { Timeline } from "../timeline";

const HEIGHT = 190;
/** [ms] between two drawings. */
const EVERY = 500;
const POINTS = 4000;

interface Curve {
  name: string;
  color: string;
  times: ArrayLike<number>;
  values: ArrayLike<number>;
  whole: boolean;
  measures: Map<string, string>;
}

export class Compare {
  readonly element: HTMLElement;
  private readonly signals = h("select", { "aria-label": "Signal to compare", onchange: () => this.stale() });
  private readonly list = h("div", { class: "runs" });
  private readonly box = h("div", { class: "plot-box" });
  private readonly table = h("table", { class: "figures" });
  private readonly note = h("p", { class: "note", role: "status" });
  private readonly timeline: Timeline;
  private chart: uPlot | null = null;
  private drawnAt = -Infinity;
  private asking = false;
  private series = "";

  constructor(
    private readonly link: Link,
    private readonly runs: Runs,
  ) {
    this.timeline = new Timeline(link);
    const file = h("input", { type: "file", accept: ".mcap", multiple: true, hidden: true, onchange: () => void this.drop(file.files) });
    const add = h("button", { type: "button", class: "button", onclick: () => file.click() }, "Add a recording");
    const keep = h("button", { type: "button", class: "button", onclick: () => void this.keep() }, "Keep this run");
    this.element = h(
      "div",
      {},
      block("Runs", this.list, h("div", { class: "buttons" }, keep, add, file), this.note),
      block("Signal", this.signals, this.box),
      block("Figures", h("div", { class: "figures-box", tabindex: 0, role: "region", "aria-label": "Figures of the runs" }, this.table)),
    );
    runs.onChange = () => this.show();
    link.on("world", () => this.welcome());
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      void this.drop(event.dataTransfer?.files ?? null);
    });
    new ResizeObserver(() => this.fit()).observe(this.box);
  }

  /** Called with each picture while it is in sight. */
  update(): void {
    const now = performance.now();
    if (this.asking || now - this.drawnAt < EVERY) return;
    this.drawnAt = now;
    void this.draw();
  }

  private stale(): void {
    this.drawnAt = -Infinity;
  }

  private welcome(): void {
    const { hello, vehicleInfo } = this.link;
    const before = this.signals.value;
    this.signals.replaceChildren(...(hello?.signals ?? []).map(({ name }) => h("option", { value: name }, name)));
    const names = (hello?.signals ?? []).map(({ name }) => name);
    const usual = ["position.z", "position.x", "speed"].map((name) => `${vehicleInfo?.name}.${name}`);
    this.signals.value = [before, ...usual].find((name) => names.includes(name)) ?? names[0] ?? "";
    this.show();
  }

  private show(): void {
    const rows = this.runs.list.map((run) => this.row(run));
    this.list.replaceChildren(...rows);
    say(
      this.note,
      rows.length
        ? "Ghosts in the view show where the vehicles of a run were at this time."
        : "Each time you start over, the run before it is kept here. Recordings (.mcap) can be dropped on the page.",
    );
    this.stale();
  }

  private row(run: Run): HTMLElement {
    const box = h("input", { type: "checkbox", checked: run.shown, onchange: () => void this.runs.show(run, box.checked) });
    const label = h("label", { class: "run-row" }, box, h("i", { style: `background:${run.color}` }), h("span", {}, h("b", {}, run.name), " ", run.about));
    const away = run.number ? [] : [iconButton("close", `Remove ${run.name}`, () => this.runs.remove(run))];
    return h("div", { class: "run-line" }, label, ...away);
  }

  private async keep(): Promise<void> {
    if (!(await this.runs.keepNow())) say(this.note, "The simulation did not hand the run over.");
  }

  private async drop(files: FileList | null): Promise<void> {
    for (const file of files ?? []) {
      if (!file.name.endsWith(".mcap")) {
        this.tell(`No recording: ${file.name}; these end in .mcap.`);
        continue;
      }
      say(this.note, `Reading ${file.name}…`);
      const why = await this.runs.drop(file);
      if (why) this.tell(`Cannot compare ${file.name}: ${why}`);
    }
  }

  private tell(text: string): void {
    say(this.note, text);
    this.link.emit("notice", { kind: "notice", level: "warning", text });
  }

  private async draw(): Promise<void> {
    const { hello, frame, vehicleInfo } = this.link;
    const name = this.signals.value;
    const index = this.link.signal(name);
    if (!hello || !frame || index < 0) return;
    this.asking = true;
    try {
      const [first, last] = hello.replay ?? [0, frame.clock("end")];
      const found = await this.timeline.fetch([index], first, last, POINTS);
      if (hello !== this.link.hello) return;
      const now = found?.columns ?? [new Float64Array(0), new Float64Array(0)];
      const curves: Curve[] = [
        { name: "now", color: NOW_COLOR, times: now[0]!, values: now[1]!, whole: found?.whole ?? true, measures: new Map() },
      ];
      for (const { flight, name: run, color } of this.runs.shown) {
        const k = signalIn(flight, name, vehicleInfo?.name ?? "");
        const { columns, whole } = flight.curves(k < 0 ? [] : [k], -Infinity, Infinity);
        const measures = new Map((flight.head.measures ?? []).map((one) => [`${one.name} ${one.unit && `[${one.unit}]`}`, figure(one.value)]));
        curves.push({ name: run, color, times: k < 0 ? [] : columns[0]!, values: columns[1] ?? [], whole, measures });
      }
      this.plot(curves);
      this.tabulate(curves, hello.signals[index]!.unit);
    } finally {
      this.asking = false;
    }
  }

  private plot(curves: Curve[]): void {
    const series = curves.map(({ name, color }) => name + color).join();
    if (!this.chart || series !== this.series) this.build(curves);
    this.series = series;
    const tables = curves.map(({ times, values }) => [Float64Array.from(times), gapped(values)] as uPlot.AlignedData);
    this.chart!.setData(uPlot.join(tables));
  }

  private build(curves: Curve[]): void {
    this.chart?.destroy();
    const style = getComputedStyle(document.documentElement);
    const axis = { stroke: style.getPropertyValue("--muted"), grid: { stroke: style.getPropertyValue("--line"), width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif" };
    this.chart = new uPlot(
      {
        width: Math.max(200, this.box.clientWidth),
        height: HEIGHT,
        legend: { show: false },
        cursor: { drag: { x: true, y: true } },
        scales: { x: { time: false } },
        axes: [{ ...axis, size: 26, values: (_, ticks) => axisWords(ticks, 6).map((word) => `${word} s`) }, { ...axis, size: axisWidth, values: (_, ticks) => axisWords(ticks) }],
        series: [{}, ...curves.map(({ name, color }) => ({ label: name, stroke: color, width: 1.5, points: { show: true, size: 5, fill: color, filter: (chart: uPlot, k: number) => lonely(chart.data[k]!) } }))],
      },
      [[], ...curves.map(() => [])],
      this.box,
    );
  }

  private tabulate(curves: Curve[], unit: string): void {
    const of = unit === "1" ? "" : ` [${unit}]`;
    const [now] = curves;
    const responses = curves.map(({ times, values }) => respond(times, values));
    const rows: [string, string[]][] = [
      ["rise time, 10 to 90 % [s]", responses.map(({ rise }) => digits(rise, 3))],
      ["overshoot [%]", responses.map(({ overshoot }) => digits(100 * overshoot, 3))],
      [`RMS${of}`, responses.map(({ rms }) => digits(rms, 3))],
      [`RMS of the difference to now${of}`, curves.map((one) => (one === now ? "–" : digits(apart(one.times, one.values, now!.times, now!.values), 3)))],
      [`least${of}`, responses.map(({ least }) => digits(least, 3))],
      [`greatest${of}`, responses.map(({ greatest }) => digits(greatest, 3))],
      ...[...new Set(curves.flatMap(({ measures }) => [...measures.keys()]))].map(
        (name) => [name, curves.map(({ measures }) => measures.get(name) ?? "–")] as [string, string[]],
      ),
    ];
    const thin = curves.some(({ whole }) => !whole) ? "From the least and the greatest value of each stretch of time." : "From every row.";
    const text = JSON.stringify([curves.map(({ name }) => name), rows]);
    if (this.table.dataset.text === text) return;
    this.table.dataset.text = text;
    this.table.replaceChildren(
      h("caption", {}, `${thin} Measures of a run are known when it is kept.`),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Figure"), ...curves.map(({ name, color }) => h("th", { scope: "col" }, h("i", { style: `background:${color}` }), name)))),
      h("tbody", {}, ...rows.map(([name, cells]) => h("tr", {}, h("th", { scope: "row" }, name), ...cells.map((cell) => h("td", {}, cell))))),
    );
  }

  private fit(): void {
    if (this.chart && this.box.clientWidth && this.chart.width !== this.box.clientWidth)
      this.chart.setSize({ width: this.box.clientWidth, height: HEIGHT });
  }
}

function figure(value: boolean | number | null): string {
  return typeof value === "number" ? digits(value, 3) : value === null ? "–" : value ? "yes" : "no";
}
