// Test inputs, and the figures of what they cause.

import { block, digits, h, say } from "../dom";
import type { Link } from "../link";
import type { Excitation, FromPage } from "../messages";
import { respond } from "../response";
import { Timeline } from "../timeline";

type Shape = Excitation["shape"];
const SHAPES: Record<Shape, string> = { step: "Step", doublet: "Doublet", chirp: "Chirp", push: "Push", twist: "Twist", gust: "Gust" };
const DIRECTIONS: [string, string, [number, number, number]][] = [
  ["east (+x)", "+x", [1, 0, 0]],
  ["west (−x)", "−x", [-1, 0, 0]],
  ["north (+y)", "+y", [0, 1, 0]],
  ["south (−y)", "−y", [0, -1, 0]],
  ["up", "+z", [0, 0, 1]],
  ["down", "−z", [0, 0, -1]],
];
const STICKS = ["roll", "pitch", "yaw", "throttle"] as const;
const UNITS: Record<Shape, string> = { step: "of a full stick", doublet: "of a full stick", chirp: "of a full stick", push: "N", twist: "N m", gust: "m/s" };
const SIZES: Record<Shape, number> = { step: 0.3, doublet: 0.3, chirp: 0.2, push: 2, twist: 0.05, gust: 3 };
const UP = 4;
/** What a stick moves first, by the endings of names. */
const MOVED: Record<string, string[]> = {
  roll: ["attitude.roll", "velocity_b.y"],
  pitch: ["attitude.pitch", "velocity_b.x"],
  yaw: ["rate_b.z"],
  throttle: ["velocity.z", "speed"],
};
/** In mode assisted, where the sticks of a multirotor command a velocity. */
const LED: Record<string, string> = { roll: "velocity_b.y", pitch: "velocity_b.x" };
/** [s] after the end of an input that count to its response. */
const AFTER = 10;
const EVERY = 500;

export class Excite {
  readonly element: HTMLElement;
  private readonly shape = h("select", { "aria-label": "Test input", onchange: () => this.show(true) });
  private readonly stick = h("select", { "aria-label": "Stick" });
  private readonly direction = h("select", { "aria-label": "Direction" });
  private readonly body = h("select", { "aria-label": "Body that is pushed" });
  private readonly signal = h("select", { "aria-label": "Signal that answers", onchange: () => (this.drawnAt = -Infinity) });
  private readonly size = this.number("Size", 0.3, -10000, 10000);
  private readonly seconds = this.number("Seconds", 2, 0.001, 600);
  private readonly from = this.number("From, in hertz", 0.1, 0.01, 10);
  private readonly to = this.number("To, in hertz", 2, 0.01, 10);
  private readonly point = ["x", "y", "z"].map((axis) => this.number(`Point on the body, ${axis} in metres`, 0, -1000, 1000));
  private readonly unit = h("span", { class: "unit" });
  private readonly rows: Record<"stick" | "sweep" | "direction" | "body", HTMLElement>;
  private readonly at: HTMLElement;
  private readonly towards = h("span", {}, "Towards");
  private readonly said = h("p", { class: "note", role: "status" });
  private readonly table = h("table", { class: "figures" });
  private readonly timeline: Timeline;
  private drawnAt = -Infinity;
  private chosenFor = "";

  constructor(private readonly link: Link) {
    this.timeline = new Timeline(link);
    const row = (label: string, ...inside: (Node | string)[]) => h("div", { class: "row" }, h("span", {}, label), ...inside);
    this.at = row("At x, y, z [m]", ...this.point);
    this.rows = {
      stick: row("Stick", this.stick),
      sweep: row("From, to [Hz]", this.from, this.to),
      direction: h("div", { class: "row" }, this.towards, this.direction),
      body: h("div", {}, row("Body", this.body), this.at),
    };
    this.element = h(
      "div",
      {},
      block(
        "Test input",
        row("Kind", this.shape),
        this.rows.stick,
        row("Size", this.size, this.unit),
        row("For [s]", this.seconds),
        this.rows.sweep,
        this.rows.direction,
        this.rows.body,
        h(
          "div",
          { class: "buttons" },
          h("button", { type: "button", class: "button primary", onclick: () => this.go() }, "Excite"),
          h("button", { type: "button", class: "button", onclick: () => link.send({ kind: "stop_excitation" }) }, "Stop it"),
        ),
        this.said,
      ),
      block(
        "Response",
        row("Signal", this.signal),
        h("div", { class: "figures-box", tabindex: 0, role: "region", "aria-label": "Figures of the response" }, this.table),
      ),
    );
    link.on("world", () => this.welcome());
    link.on("vehicle", () => this.welcome());
    link.on("changed", () => this.follow());
  }

  /** Called with each picture while it is in sight. */
  update(): void {
    if (performance.now() - this.drawnAt < EVERY) return;
    this.drawnAt = performance.now();
    void this.measure();
  }

  private number(label: string, value: number, min: number, max: number): HTMLInputElement {
    return h("input", { type: "number", class: "number", step: "any", "aria-label": label, value, min, max });
  }

  private welcome(): void {
    const { hello, scene, vehicle, vehicleInfo: info } = this.link;
    const bodies = (scene?.bodies ?? []).map((one, index) => ({ ...one, index })).filter((one) => one.vehicle === vehicle);
    this.body.replaceChildren(...bodies.map(({ name, index }) => h("option", { value: index }, name)));
    this.signal.replaceChildren(...(hello?.signals ?? []).map(({ name }) => h("option", { value: name }, name)));
    const sticks = STICKS.filter((one) => info?.stick_words.some((words) => words[one].some(Boolean)));
    this.stick.replaceChildren(...sticks.map((name) => h("option", { value: name }, name)));
    const windy = hello?.parameters.some(({ name }) => name === "air.wind_speed") ?? false;
    const offered = (Object.keys(SHAPES) as Shape[]).filter((one) => one === "push" || one === "twist" || (one === "gust" ? windy : sticks.length));
    const before = this.shape.value;
    this.shape.replaceChildren(...offered.map((value) => h("option", { value }, SHAPES[value])));
    if (offered.includes(before as Shape)) this.shape.value = before;
    this.chosenFor = "";
    this.show(true);
    this.follow();
  }

  /** Only what the chosen kind has. */
  private show(anew: boolean): void {
    const shape = this.shape.value as Shape;
    const twists = shape === "twist";
    const pushes = shape === "push" || twists || shape === "gust";
    this.rows.stick.hidden = pushes;
    this.rows.sweep.hidden = shape !== "chirp";
    this.rows.direction.hidden = !pushes;
    this.rows.body.hidden = shape !== "push" && !twists;
    this.at.hidden = twists;
    say(this.towards, twists ? "About" : "Towards");
    if (anew) this.offerDirections(twists);
    say(this.unit, UNITS[shape]);
    if (anew) this.size.value = String(SIZES[shape]);
  }

  /** What does not lift is pushed along the floor, and may be twisted about any axis. */
  private offerDirections(twists: boolean): void {
    const { scene, vehicleInfo: info } = this.link;
    const ways = DIRECTIONS.map((one, value) => ({ value, words: one[scene?.gravity ? 0 : 1], flat: one[2][2] === 0 }));
    const offered = ways.filter(({ flat }) => flat || info?.lifts || twists);
    this.direction.replaceChildren(...offered.map(({ value, words }) => h("option", { value }, words)));
    if (twists) this.direction.value = String(UP);
  }

  private go(): void {
    const shape = this.shape.value as Shape;
    const fields = [this.size, this.seconds, this.from, this.to, ...this.point].filter((one) => one.checkVisibility());
    const wrong = fields.find((one) => !one.value || !one.checkValidity());
    if (wrong) {
      say(this.said, `${wrong.getAttribute("aria-label")}: a number from ${wrong.min} to ${wrong.max}, please.`);
      wrong.focus();
      return;
    }
    const at = this.point.map((one) => Number(one.value)) as [number, number, number];
    const asked: FromPage = {
      kind: "excite",
      vehicle: this.link.vehicle,
      shape,
      size: Number(this.size.value),
      seconds: Number(this.seconds.value),
      stick: (this.stick.value || "roll") as (typeof STICKS)[number],
      from_hz: Number(this.from.value),
      to_hz: Number(this.to.value),
      direction_w: DIRECTIONS[Number(this.direction.value)]![2],
      ...(shape === "push" && this.body.value ? { body: Number(this.body.value), point_b: at } : {}),
      ...(shape === "twist" && this.body.value ? { body: Number(this.body.value) } : {}),
    };
    this.link.send(asked);
  }

  /** What the server says of the last one; the signal that it moves first is chosen. */
  private follow(): void {
    const now = this.link.changed?.excitation ?? null;
    const live = this.link.hello?.replay == null;
    say(this.said, now ? `${now.text}, from ${now.since.toFixed(2)} s` : live ? "It acts at exact ticks of simulated time, and then all is as before." : "A recording is shown: nothing can be done to it.");
    const key = now ? `${now.since} ${now.text}` : "";
    if (!now || key === this.chosenFor) return;
    this.chosenFor = key;
    this.signal.value = answering(now, this.link.scene?.vehicles[now.vehicle]?.name ?? "", this.link.hello?.signals.map(({ name }) => name) ?? [], this.link.changed?.modes[now.vehicle]);
    this.drawnAt = -Infinity;
  }

  private async measure(): Promise<void> {
    const now = this.link.changed?.excitation;
    const { hello, frame } = this.link;
    const index = this.link.signal(this.signal.value);
    if (!now || !hello || !frame || index < 0) {
      this.table.replaceChildren();
      return;
    }
    const until = now.shape === "step" || now.shape === "chirp" ? now.until : now.until + AFTER;
    const found = await this.timeline.fetch([index], now.since, until, 20000, "rows");
    if (!found || hello !== this.link.hello) return;
    const rows = figures(now.shape, found.columns[0]!, found.columns[1]!, hello.signals[index]!.unit);
    const more = frame.clock("end") < until ? "Until now; more comes." : "";
    this.table.replaceChildren(
      h("caption", {}, `${found.whole ? "From every row." : "From one row in several."} ${more}`),
      h("tbody", {}, ...rows.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, value)))),
    );
  }
}

/** The signal that an input moves first, as far as there is one. */
export function answering(now: Pick<Excitation, "shape" | "stick">, vehicle: string, names: string[], mode = ""): string {
  const led = mode === "assisted" && names.includes(`${vehicle}.controller.assisted.velocity.x`) ? LED[now.stick] : undefined;
  const endings = now.shape === "push" ? ["speed"] : now.shape === "twist" ? ["rate_b.z"] : now.shape === "gust" ? ["airspeed", "speed"] : [...(led ? [led] : []), ...(MOVED[now.stick] ?? [])];
  return endings.map((ending) => `${vehicle}.${ending}`).find((name) => names.includes(name)) ?? names[0] ?? "";
}

/** Figures of a response: of a step how it gets to its end, of others how far it is thrown and when it is back. */
export function figures(shape: Shape, times: ArrayLike<number>, values: ArrayLike<number>, unit: string): [string, string][] {
  const of = unit === "1" ? "" : ` [${unit}]`;
  const found = respond(times, values);
  const step: [string, string][] = [
    ["rise time, 10 to 90 % [s]", digits(found.rise, 3)],
    ["overshoot [%]", digits(100 * found.overshoot, 3)],
  ];
  return [
    ...(shape === "step" ? step : []),
    ["settling time, 2 % [s]", digits(found.settling, 3)],
    [`farthest from the start${of}`, digits(found.peak, 4)],
    [`end${of}`, digits(found.last, 4)],
    [`RMS${of}`, digits(found.rms, 3)],
  ];
}
