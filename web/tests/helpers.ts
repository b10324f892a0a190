// Stand-ins for what a browser and a server give to the page.

import { vi } from "vitest";

import { Frame, STATE_FRAME } from "../src/frame";
import type { Link } from "../src/link";
import { type Changed, CLOCK, type FromPage, type Hello, type Scene, type Section, type VehicleInfo } from "../src/messages";

type Numbers = Partial<Record<Section["name"], number[]>>;
const WIDTHS: Record<Section["name"], number> = {
  clock: 1,
  bodies: 7,
  forces: 6,
  contacts: 6,
  signals: 1,
  sticks: 20,
  goals: 4,
  wind: 3,
  spins: 1,
  lasers: 1,
};

export function clock(values: Partial<Record<(typeof CLOCK)[number], number>> = {}): number[] {
  return CLOCK.map((name) => (name === "kind" ? STATE_FRAME : (values[name] ?? 0)));
}

/** Sections one after the other, and all their numbers. */
export function pack(sections: Numbers): { layout: Section[]; numbers: Float64Array } {
  const layout: Section[] = [];
  const all: number[] = [];
  for (const [name, numbers] of Object.entries(sections) as [Section["name"], number[]][]) {
    const width = WIDTHS[name];
    layout.push({ name, offset: all.length, count: numbers.length / width, width });
    all.push(...numbers);
  }
  return { layout, numbers: Float64Array.from(all) };
}

export function frame(sections: Numbers): Frame {
  const { layout, numbers } = pack(sections);
  return new Frame(numbers, layout);
}

export function hello(more: Partial<Hello> = {}): Hello {
  return {
    kind: "hello",
    scenario: "square",
    about: "",
    replay: null,
    layout: [],
    length: 0,
    signals: [],
    parameters: [],
    faults: [],
    scenarios: [],
    snapshots: 0,
    step: 0.002,
    ...more,
  };
}

export function changed(more: Partial<Changed> = {}): Changed {
  return {
    kind: "changed",
    modes: ["mission"],
    missions: [""],
    conditions: [{ name: "moving", text: "", alarm: false }],
    faults: [],
    snapshots: 0,
    recording: null,
    ...more,
  };
}

export function vehicle(more: Partial<VehicleInfo> = {}): VehicleInfo {
  return {
    name: "quad",
    model: "quadcopter",
    root: 1,
    mission: true,
    plan: [],
    modes: ["mission", "assisted", "raw"],
    mode_texts: [],
    stick_words: [],
    sticks: [0, 1, 3, 2],
    keys: [],
    channels: [],
    obeyed: [[], [], []],
    throttle_rests_at: [0, 0, -1],
    manual: false,
    wheels: [],
    lifts: true,
    tilts: true,
    ...more,
  };
}

export function scene(more: Partial<Scene> = {}): Scene {
  return {
    bodies: [],
    geoms: [],
    meshes: [],
    textures: [],
    materials: [],
    lights: [],
    joints: [],
    cameras: [],
    rotors: [],
    surfaces: [],
    lasers: [],
    loads: [],
    vehicles: [vehicle()],
    gravity: true,
    air: true,
    boxes: 0,
    ...more,
  };
}

/** The events of a window and a document, and a clock that stands until it is moved. */
export function browser(): { fire: (name: string, more?: object) => Event; pads: (Gamepad | null)[] } {
  const page = new EventTarget();
  const pads: (Gamepad | null)[] = [];
  const kept = new Map<string, string>();
  vi.useFakeTimers();
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("document", {
    addEventListener: page.addEventListener.bind(page),
    body: { classList: { toggle: () => false } },
    hasFocus: () => true,
    hidden: false,
    querySelector: () => null,
  });
  vi.stubGlobal("HTMLInputElement", function () {});
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
  vi.stubGlobal("navigator", { getGamepads: () => pads });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
  const fire = (name: string, more: object = {}) => {
    const event = Object.assign(new Event(name, { cancelable: true }), more);
    page.dispatchEvent(event);
    return event;
  };
  return { fire, pads };
}

export function quiet(): void {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
}

export function gamepad(axes: number[], pressed: number[] = [], id = "pad"): Gamepad {
  const buttons = Array.from({ length: 12 }, (_, k) => ({ pressed: pressed.includes(k), value: +pressed.includes(k) }));
  return { id, axes, buttons, connected: true } as unknown as Gamepad;
}

/** A link that writes down what is said; it holds the sticks unless told otherwise. */
export function fakeLink(more: Partial<Record<keyof Link, unknown>> = {}): { link: Link; said: FromPage[] } {
  const said: FromPage[] = [];
  const link = {
    connected: true,
    holdsSticks: true,
    hello: hello(),
    vehicle: 0,
    vehicleInfo: vehicle(),
    mode: "assisted",
    frame: null,
    driven: new Map(),
    on: () => undefined,
    send: (message: FromPage) => said.push(message) > 0,
    takeSticks: () => false,
    mayFly: () => true,
    ...more,
  };
  return { link: link as unknown as Link, said };
}
