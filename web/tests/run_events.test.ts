import { describe, expect, it, vi } from "vitest";

import type { Link } from "../src/link";
import type { RunEvent } from "../src/messages";
import { placeOf } from "../src/panels/replay_bar";
import { RunEvents, said } from "../src/run_events";
import { offers, OVERLAYS, type Overlay } from "../src/world/overlays";
import { changed, hello, scene, vehicle } from "./helpers";

function told(events: RunEvent[], lost = 0) {
  return { ok: true, json: () => Promise.resolve({ events, lost }) };
}

/** A link that answers what it is given, and what is said to it. */
function line(answers: unknown[]) {
  const heard = new Map<string, (value: unknown) => void>();
  const get = vi.fn(() => Promise.resolve(answers.shift()));
  const link = { get, hello: hello(), changed: null as unknown, on: (name: string, act: (value: unknown) => void) => heard.set(name, act) };
  const events = new RunEvents(link as unknown as Link);
  const say = (number: number) => {
    link.changed = { ...changed(), events: number };
    heard.get("changed")!(link.changed);
  };
  return { events, get, say, link, heard };
}

describe("what happened in the run", () => {
  it("is asked for when its number is another one, and only then", async () => {
    const { events, get, say } = line([told([{ time: 1, text: "touch" }], 3), told([])]);
    const seen = vi.fn();
    events.onChange(seen);
    say(4);
    say(4);
    await vi.waitFor(() => expect(seen).toHaveBeenCalledTimes(1));
    expect([events.all.length, events.lost, get.mock.calls.length]).toEqual([1, 3, 1]);
    say(4);
    expect(get).toHaveBeenCalledTimes(1);
    say(5);
    await vi.waitFor(() => expect(events.all).toEqual([]));
  });

  it("of another world is forgotten at once", async () => {
    const { events, say, heard } = line([told([{ time: 1, text: "touch" }])]);
    say(1);
    await vi.waitFor(() => expect(events.all.length).toBe(1));
    heard.get("world")!(scene());
    expect(events.all).toEqual([]);
  });

  it("is found near a time", async () => {
    const { events, say } = line([told([{ time: 1, text: "a" }, { time: 2, text: "b" }])]);
    say(1);
    await vi.waitFor(() => expect(events.all.length).toBe(2));
    expect([events.near(1.6, 0.5)?.text, events.near(1.4, 0.5)?.text, events.near(5, 0.5)]).toEqual(["b", "a", null]);
    expect(said(events.all[0]!)).toBe("1.00 s: a");
  });
});

it("marks stand where the knob of the slider would", () => {
  expect([placeOf(0, 0, 10, 114), placeOf(5, 0, 10, 114), placeOf(10, 0, 10, 114)]).toEqual([7, 57, 107]);
  expect(placeOf(3, 3, 3, 114)).toBe(7);
});

describe("layers of the view", () => {
  const offered = (one: ReturnType<typeof scene>) => (Object.keys(OVERLAYS) as Overlay[]).filter((layer) => offers(one, layer));
  it("that nothing fills are not offered", () => {
    const bare = { ...scene(), vehicles: [vehicle()], loads: [], lasers: [], joints: [], air: false };
    for (const layer of ["lasers", "wind", "pressure", "joints", "plan"] as const) expect(offered(bare)).not.toContain(layer);
    expect(offered(bare)).toContain("trails");
  });

  it("that something fills are", () => {
    const own = { ...vehicle(), name: "bird", goes: true };
    const full = { ...scene(), vehicles: [own], loads: ["bird.wing", "hand"], air: true };
    for (const layer of ["wind", "pressure", "plan"] as const) expect(offered(full)).toContain(layer);
  });
});
