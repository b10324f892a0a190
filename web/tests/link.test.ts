import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Frame } from "../src/frame";
import { type Events, Link } from "../src/link";
import type { FromPage, Hello, Scene, ToPage } from "../src/messages";
import { clock, hello, pack, quiet, scene, vehicle } from "./helpers";

class Socket {
  static readonly OPEN = 1;
  static all: Socket[] = [];
  binaryType = "";
  readyState = Socket.OPEN;
  readonly sent: string[] = [];
  onmessage: ((event: { data: string | ArrayBuffer }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly address: URL) {
    Socket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.end(1006);
  }

  end(code: number): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }

  /** As the server says it. */
  async say(message: ToPage | ArrayBuffer | string): Promise<void> {
    const plain = typeof message === "string" || message instanceof ArrayBuffer;
    this.onmessage?.({ data: plain ? message : JSON.stringify(message) });
    await vi.advanceTimersByTimeAsync(0);
  }

  get said(): FromPage[] {
    return this.sent.map((text) => JSON.parse(text) as FromPage);
  }
}

const { layout, numbers } = pack({ clock: clock({ time: 3 }), signals: [1, 2] });
const greeting: Hello = hello({
  layout,
  length: numbers.length,
  signals: [
    { name: "quad.speed", unit: "m/s" },
    { name: "quad.position.z", unit: "m" },
  ],
  parameters: [{ name: "quad.gain", value: 1, default: 1, low: 0, high: 9, unit: "1", about: "" }],
});
let answers: { ok: boolean; status: number; json: () => Promise<Scene> };
let asked: string[];

beforeEach(() => {
  vi.useFakeTimers();
  Socket.all = [];
  asked = [];
  answers = { ok: true, status: 200, json: () => Promise.resolve(scene({ vehicles: [vehicle(), vehicle()] })) };
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("location", { href: "http://127.0.0.1:8000/?token=x", protocol: "http:" });
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return Promise.resolve(answers);
  });
});
afterEach(quiet);

function connect(token: string | null = null): { link: Link; socket: Socket } {
  const link = new Link(token);
  link.connect();
  return { link, socket: Socket.all[0]! };
}

async function greet(token: string | null = null): Promise<{ link: Link; socket: Socket }> {
  const both = connect(token);
  await both.socket.say(greeting);
  return both;
}

/** What comes in, name by name. */
function listen(link: Link, ...names: (keyof Events)[]): string[] {
  const heard: string[] = [];
  for (const name of names) link.on(name, () => heard.push(name));
  return heard;
}

describe("connecting", () => {
  it("speaks to where the page came from", () => {
    expect(connect().socket.address.href).toBe("ws://127.0.0.1:8000/ws");
    expect(connect().socket.binaryType).toBe("arraybuffer");
    vi.stubGlobal("location", { href: "https://lab.example/", protocol: "https:" });
    new Link(null).connect();
    expect(Socket.all.at(-1)!.address.href).toBe("wss://lab.example/ws");
  });

  it("carries the token, whatever letters it has", async () => {
    const { socket } = await greet("a&b c");
    expect(socket.address.search).toBe("?token=a%26b%20c");
    expect(asked).toEqual(["scene.json?token=a%26b%20c"]);
  });

  it("announces the world before it is connected", async () => {
    const { link, socket } = connect();
    const heard = listen(link, "connection", "world");
    await socket.say(greeting);
    expect(heard).toEqual(["world", "connection"]);
    expect(link.connected).toBe(true);
    expect(link.vehicleInfo?.name).toBe("quad");
    expect([link.signal("quad.position.z"), link.signal("quad.nothing")]).toEqual([1, -1]);
  });

  it("says so when the scene cannot be loaded", async () => {
    answers = { ...answers, ok: false, status: 500 };
    const { link, socket } = connect();
    const texts: string[] = [];
    link.on("notice", ({ text }) => texts.push(text));
    await socket.say(greeting);
    expect(texts).toEqual(["The scene could not be loaded (500)."]);
    expect(link.connected).toBe(false);
  });

  it("looks at a vehicle that exists after another scenario", async () => {
    const { link, socket } = await greet();
    link.select(1);
    answers = { ...answers, json: () => Promise.resolve(scene()) };
    await socket.say(greeting);
    expect(link.vehicle).toBe(0);
  });
});

describe("hearing", () => {
  it("takes what follows a hello for the world that it announces", async () => {
    let arrive: (value: Scene) => void = () => undefined;
    answers = { ...answers, json: () => new Promise((resolve) => (arrive = resolve)) };
    const { link, socket } = connect();
    const heard = listen(link, "world", "role");
    await socket.say(greeting);
    await socket.say({ kind: "role", pilot: true, taken: true, pages: 2 });
    expect(heard).toEqual([]);
    arrive(scene());
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(["world", "role"]);
    expect(link.role.pages).toBe(2);
  });

  it("keeps what was said last", async () => {
    const { link, socket } = await greet();
    await socket.say({
      kind: "changed",
      modes: ["raw", "mission"],
      missions: ["", ""],
      conditions: [],
      faults: [],
      snapshots: 0,
      recording: null,
    });
    expect(link.mode).toBe("raw");
    link.select(1);
    expect(link.mode).toBe("mission");
    await socket.say({ kind: "tuned", name: "quad.gain", value: 4 });
    expect(link.hello?.parameters[0]?.value).toBe(4);
    expect(link.hello?.parameters[0]?.default).toBe(1);
  });

  it("shows frames, counts those that do not fit, and ignores what comes before the hello", async () => {
    const { link, socket } = connect();
    const frames: Frame[] = [];
    link.on("frame", (frame) => frames.push(frame));
    await socket.say(numbers.slice().buffer);
    await socket.say(greeting);
    await socket.say(numbers.slice().buffer);
    await socket.say(new ArrayBuffer(8));
    expect(frames).toHaveLength(1);
    expect(link.frame?.clock("time")).toBe(3);
    expect(link.misfits).toBe(1);
  });

  it("goes on after words that are not JSON", async () => {
    const complain = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { link, socket } = await greet();
    await socket.say("{");
    await socket.say({ kind: "role", pilot: true, taken: true, pages: 3 });
    expect(link.role.pages).toBe(3);
    expect(link.misfits).toBe(1);
    expect(complain).toHaveBeenCalledOnce();
    complain.mockRestore();
  });
});

describe("speaking", () => {
  it("asks for the sticks first, once", async () => {
    const { link, socket } = await greet();
    expect(link.send({ kind: "pause", paused: true })).toBe(true);
    expect(link.send({ kind: "step" })).toBe(true);
    expect(socket.said.map(({ kind }) => kind)).toEqual(["take_sticks", "pause", "step"]);
  });

  it("asks again when no answer came", async () => {
    const { link, socket } = await greet();
    link.send({ kind: "step" });
    vi.advanceTimersByTime(601);
    link.send({ kind: "step" });
    expect(socket.said.filter(({ kind }) => kind === "take_sticks")).toHaveLength(2);
  });

  it("does not act while another page holds the sticks, but watches and stops", async () => {
    const { link, socket } = await greet();
    await socket.say({ kind: "role", pilot: false, taken: true, pages: 2 });
    const refused: string[] = [];
    link.on("refused", ({ kind }) => refused.push(kind));
    expect(link.send({ kind: "reset" })).toBe(false);
    expect(link.send({ kind: "emergency", on: false })).toBe(false);
    expect(link.send({ kind: "emergency", on: true })).toBe(true);
    expect(link.send({ kind: "watch", cameras: [0] })).toBe(true);
    expect(refused).toEqual(["reset", "emergency"]);
    expect(socket.said.map(({ kind }) => kind)).toEqual(["emergency", "watch"]);
    expect(link.takeSticks()).toBe(false);
    expect(link.takeSticks(true)).toBe(true);
    expect(socket.said.at(-1)).toEqual({ kind: "take_sticks", force: true });
  });

  it("says nothing before it is connected, nor to a closed socket", async () => {
    const { link, socket } = connect();
    expect(link.send({ kind: "step" })).toBe(false);
    await socket.say(greeting);
    socket.readyState = 2;
    expect(link.send({ kind: "step" })).toBe(false);
    expect(socket.sent).toEqual([]);
  });
});

describe("a lost connection", () => {
  it("is told, gives up the sticks, and is tried again more and more slowly", async () => {
    const { link, socket } = await greet();
    await socket.say({ kind: "role", pilot: true, taken: true, pages: 1 });
    const states: boolean[] = [];
    link.on("connection", (on) => states.push(on));
    socket.end(1006);
    await vi.advanceTimersByTimeAsync(0);
    expect(states).toEqual([false]);
    expect(link.role.pilot).toBe(false);
    await vi.advanceTimersByTimeAsync(300);
    expect(Socket.all).toHaveLength(2);
    Socket.all[1]!.end(1006);
    await vi.advanceTimersByTimeAsync(300);
    expect(Socket.all).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(180);
    expect(Socket.all).toHaveLength(3);
    await Socket.all[2]!.say(greeting);
    expect(states).toEqual([false, false, true]);
  });

  it.each([
    ["the run ended", 4000, 200, "The run has ended."],
    ["a wrong token", 1006, 403, "The token in the address is missing or wrong."],
    ["something else", 1006, 200, ""],
  ])("says why: %s", async (_, code, status, trouble) => {
    const { link, socket } = await greet();
    answers = { ...answers, status };
    socket.end(code);
    await vi.advanceTimersByTimeAsync(0);
    expect(link.trouble).toBe(trouble);
  });

  it("between a hello and its scene does not end the page: the next connection is heard", async () => {
    const { link, socket } = connect();
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed")));
    await socket.say(greeting);
    expect(link.trouble).toBe("The simulation does not answer.");
    vi.stubGlobal("fetch", () => Promise.resolve(answers));
    await vi.advanceTimersByTimeAsync(300);
    expect(Socket.all).toHaveLength(2);
    await Socket.all[1]!.say(greeting);
    expect(link.connected).toBe(true);
  });
});
