// What a pilot looks at: attitude, speed, height, climb, battery, what the vehicle is doing.

import { h, say } from "../dom";
import type { Frame } from "../frame";
import type { Link } from "../link";
import { Attitude } from "./attitude";
import { Others } from "./others";

/** [ms] between two changes of the figures: faster cannot be read. */
const EVERY = 100;
const LOW_BATTERY = 0.2;
const WORDS: Record<string, string> = { mission: "Mission", assisted: "Assisted", raw: "Raw sticks" };

interface Gauge {
  element: HTMLElement;
  value: HTMLElement;
}

export class Instruments {
  readonly element: HTMLElement;
  private readonly attitude = new Attitude();
  private readonly mode = h("strong", { class: "mode" });
  private readonly mission = h("span", { class: "mission", role: "status", "aria-live": "polite" });
  private readonly speed = gauge("Speed", "m/s");
  private readonly airspeed = gauge("Airspeed", "m/s");
  private readonly height = gauge("Height", "m");
  private readonly climb = gauge("Climb", "m/s");
  private readonly turning = gauge("Turning", "°/s");
  private readonly battery = gauge("Battery", "%");
  private readonly voltage = gauge("Voltage", "V");
  private places = new Map<string, number>();
  /** Name of its first battery. */
  private cell = "";
  private shownAt = 0;
  /** Whether there is an up from which it can tilt. */
  private tilts = true;

  constructor(private readonly link: Link) {
    this.element = h(
      "section",
      { class: "instruments", "aria-label": "Instruments" },
      this.attitude.element,
      h(
        "div",
        { class: "gauges" },
        ...[this.speed, this.airspeed, this.height, this.climb, this.turning, this.battery, this.voltage].map((one) => one.element),
      ),
      h("div", { class: "doing" }, this.mode, this.mission),
      new Others(link).element,
    );
    link.on("world", () => this.find());
    link.on("vehicle", () => this.find());
    link.on("changed", () => this.describe());
  }

  update(frame: Frame): void {
    const root = this.link.vehicleInfo?.root ?? -1;
    const poses = frame.get("bodies");
    if (root < 0) return;
    const at = 7 * root;
    if (this.tilts) this.attitude.show(poses[at + 3]!, poses[at + 4]!, poses[at + 5]!, poses[at + 6]!);
    const now = performance.now();
    if (now - this.shownAt < EVERY) return;
    this.shownAt = now;
    const signals = frame.get("signals");
    const read = (what: string) => signals[this.places.get(what) ?? -1] ?? NaN;
    put(this.speed, read("speed"), 1);
    put(this.airspeed, read("airspeed"), 1);
    put(this.height, poses[at + 2]!, poses[at + 2]! < 100 ? 2 : 0);
    put(this.climb, read("velocity.z"), 1);
    put(this.turning, (Math.hypot(read("rate_b.x"), read("rate_b.y"), read("rate_b.z")) * 180) / Math.PI, 1);
    put(this.battery, 100 * read(`${this.cell}.charge`), 0);
    put(this.voltage, read(`${this.cell}.voltage`), 1);
    this.battery.element.classList.toggle("low", read(`${this.cell}.charge`) < LOW_BATTERY);
  }

  private find(): void {
    this.places = new Map();
    const vehicle = this.link.vehicleInfo;
    this.link.hello?.signals.forEach(({ name }, k) => {
      if (vehicle && name.startsWith(`${vehicle.name}.`)) this.places.set(name.slice(vehicle.name.length + 1), k);
    });
    const has = (one: Gauge, what: string) => (one.element.hidden = !this.places.has(what));
    has(this.speed, "speed");
    // Without an up there is neither horizon nor height.
    const up = this.link.scene?.gravity ?? true;
    this.tilts = up && (vehicle?.tilts ?? true);
    this.attitude.element.classList.toggle("hidden", !this.tilts);
    has(this.climb, "velocity.z");
    this.height.element.hidden = !(up && vehicle?.lifts);
    this.climb.element.hidden ||= this.height.element.hidden;
    has(this.turning, "rate_b.z");
    this.turning.element.hidden ||= this.tilts;
    this.cell = [...this.places.keys()].find((name) => name.endsWith(".charge"))?.slice(0, -".charge".length) ?? "";
    has(this.battery, `${this.cell}.charge`);
    has(this.voltage, `${this.cell}.voltage`);
    // For what hovers the air's speed says little that speed does not.
    this.airspeed.element.hidden = !this.places.has("airspeed") || !this.hasWings;
    this.describe();
  }

  /** Whether it has wings: some part of it tells an angle of attack. */
  get hasWings(): boolean {
    return [...this.places.keys()].some((name) => name.endsWith(".alpha"));
  }

  private describe(): void {
    say(this.mode, WORDS[this.link.mode] ?? this.link.mode);
    const condition = this.link.changed?.conditions[this.link.vehicle];
    const told = this.link.changed?.missions[this.link.vehicle] ?? "";
    const waits = condition?.name === "waiting";
    const real = condition?.alarm || waits || (condition?.text && this.link.mode !== "mission");
    const text = real ? sentence(condition.text) : told;
    say(this.mission, text);
    this.mission.title = text;
    this.mission.classList.toggle("alarm", condition?.alarm ?? false);
  }
}

/** As a line of its own. */
function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function gauge(label: string, unit: string): Gauge {
  const value = h("output", {}, "–");
  return {
    element: h("div", { class: "gauge" }, h("span", {}, label), h("b", {}, value, h("small", {}, unit))),
    value,
  };
}

function put({ value }: Gauge, number: number, decimals: number): void {
  say(value, figure(number, decimals));
}

/** A dash for what is not known; no sign before zero. */
export function figure(number: number, decimals: number): string {
  const text = Number.isFinite(number) ? number.toFixed(decimals) : "–";
  return text === `-${(0).toFixed(decimals)}` ? text.slice(1) : text;
}
