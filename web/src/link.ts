// The connection with the server: what it last said, and who wants to know.

import { decode, Frame, type Picture } from "./frame";
import type {
  Changed,
  Checked,
  Driven,
  FromPage,
  Hello,
  Notice,
  Planned,
  Role,
  Scene,
  Sheet,
  StickWords,
  ToPage,
  Tuned,
  VehicleInfo,
} from "./messages";

export interface Events {
  /** Another scenario: everything that was known of the former is void. */
  world: Scene;
  frame: Frame;
  role: Role;
  changed: Changed;
  driven: Driven;
  planned: Planned;
  tuned: Tuned;
  notice: Notice;
  picture: Picture;
  /** Answers to this page alone. */
  sheet: Sheet;
  checked: Checked;
  connection: boolean;
  /** The vehicle that instruments, sticks and views are about. */
  vehicle: number;
  /** Something was not sent because another page holds the sticks. */
  refused: FromPage;
}

type Listener<T> = (value: T) => void;

/** How the server closes a connection when the run is over. */
const RUN_ENDED = 4000;
const FORBIDDEN = 403;
/** What a page may say that only watches. */
const WATCHING = ["take_sticks", "watch"];
/** [ms] for which a page that asked for the sticks speaks as if it had them. */
const HOPE = 600;
const FIRST_RETRY = 300;
const LONGEST_RETRY = 5000;

/** The mode in which a hand flies: that which holds, but a mission is left for one that hears the sticks. */
export function handMode(link: Pick<Link, "mode" | "vehicleInfo" | "mayFly">): string {
  if (link.mode !== "mission") return link.mode;
  return ["assisted", "raw"].find((one) => link.vehicleInfo?.modes.includes(one) && link.mayFly(one)) ?? link.mode;
}

/** Whether a hand may set channels of the vehicle: not where all modes that are flown by hand are locked. */
export function goesByHand(link: Pick<Link, "vehicleInfo" | "mayFly">): boolean {
  const modes = ["assisted", "raw"].filter((one) => link.vehicleInfo?.modes.includes(one));
  return !modes.length || modes.some((one) => link.mayFly(one));
}

/** Whether any stick does anything. */
export function moves(words: StickWords): boolean {
  return Object.values(words).some((pair: [string, string]) => pair.some(Boolean));
}

/** Show a moment [s]; a world stands still there. */
export function goTo(link: Link, time: number): void {
  if (!link.hello?.replay) link.send({ kind: "pause", paused: true });
  link.send({ kind: "seek", time });
}

export class Link {
  hello: Hello | null = null;
  scene: Scene | null = null;
  frame: Frame | null = null;
  role: Role = { kind: "role", pilot: false, taken: false, pages: 1 };
  changed: Changed | null = null;
  /** Manual control of each vehicle that has it. */
  readonly driven = new Map<number, Driven>();
  connected = false;
  /** Whether all there is to know stands in the page itself. */
  readonly isFile: boolean = false;
  vehicle = 0;
  /** Why there is no connection, as far as one can tell. */
  trouble = "";
  /** Messages that did not fit what was agreed on. */
  misfits = 0;

  /** [ms] spent on frames since the last picture. */
  spent = 0;
  private asked = -Infinity;
  private socket: WebSocket | null = null;
  private retry = FIRST_RETRY;
  private hearing = Promise.resolve();
  private readonly listeners = new Map<keyof Events, Set<Listener<never>>>();

  constructor(private readonly token: string | null) {}

  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): void {
    const known = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, known.add(listener));
  }

  emit<K extends keyof Events>(name: K, value: Events[K]): void {
    for (const listener of this.listeners.get(name) ?? []) (listener as Listener<Events[K]>)(value);
  }

  connect(): void {
    const address = new URL(this.withToken("ws"), location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (typeof data !== "string") {
        this.see(data);
        return;
      }
      // One after the other: what follows a hello is about the world that it announces.
      const heard = this.hearing.then(() => this.hear(JSON.parse(data) as ToPage));
      this.hearing = heard.catch((why: unknown) => this.doubt(why));
    };
    socket.onclose = ({ code }) => void this.lost(code);
    this.socket = socket;
  }

  /** Time passes [s] in the page; here the server's clock counts. */
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  pass(_seconds: number): void {}

  /** Say something to the server, with the sticks when nobody has them; false when that cannot be. */
  send(message: FromPage): boolean {
    if (!this.connected || this.socket?.readyState !== WebSocket.OPEN) return false;
    const watching = WATCHING.includes(message.kind) || (message.kind === "emergency" && message.on);
    if (!watching && !this.holdsSticks && !this.takeSticks()) {
      this.emit("refused", message);
      return false;
    }
    this.socket.send(JSON.stringify(message));
    return true;
  }

  /** Whether this page may act, as far as it knows. */
  get holdsSticks(): boolean {
    return this.role.pilot || performance.now() - this.asked < HOPE;
  }

  /** Ask for the sticks; false when another page has them. */
  takeSticks(force = false): boolean {
    if (this.role.taken && !this.role.pilot && !force) return false;
    this.asked = performance.now();
    return this.send({ kind: "take_sticks", force });
  }

  select(vehicle: number): void {
    this.vehicle = vehicle;
    this.emit("vehicle", vehicle);
  }

  /** The vehicle that is being looked at. */
  get vehicleInfo(): VehicleInfo | null {
    return this.scene?.vehicles[this.vehicle] ?? null;
  }

  get mode(): string {
    return this.changed?.modes[this.vehicle] ?? "";
  }

  /** The mode in which a hand flies. */
  get handMode(): string {
    return this.hello?.replay ? this.mode : handMode(this);
  }

  /** What the vehicle does when a hand moves a stick; null when it does nothing. */
  get stickWords(): StickWords | null {
    const info = this.vehicleInfo;
    const words = info?.stick_words[info.modes.indexOf(this.handMode)];
    return words && moves(words) ? words : null;
  }

  /** Number of a signal in a frame, -1 when there is none of that name. */
  signal(name: string): number {
    return this.hello?.signals.findIndex((signal) => signal.name === name) ?? -1;
  }

  /** Ask the server something over HTTP. */
  get(path: string, question: Record<string, string | number>, formulas: string[] = []): Promise<Response> {
    const asked = new URLSearchParams(formulas.map((formula) => ["formula", formula])).toString();
    const address = this.address(path, question);
    return fetch(asked ? `${address}${address.includes("?") ? "&" : "?"}${asked}` : address);
  }

  /** Hand a file to the server, which answers. */
  post(path: string, file: Blob): Promise<Response> {
    return fetch(this.address(path), { method: "POST", body: file });
  }

  /** Where something of the server is. */
  address(path: string, question: Record<string, string | number> = {}): string {
    const asked = new URLSearchParams(Object.entries(question).map(([name, value]) => [name, String(value)]));
    if (this.token) asked.set("token", this.token);
    return asked.size ? `${path}?${asked}` : path;
  }

  /** Whether pages may choose a mode: whoever started this may have locked it. */
  mayFly(mode: string): boolean {
    const allowed = this.hello?.may_fly ?? [];
    return !allowed.length || allowed.includes(mode);
  }

  private withToken(path: string): string {
    return this.token ? `${path}?token=${encodeURIComponent(this.token)}` : path;
  }

  private async hear(message: ToPage): Promise<void> {
    switch (message.kind) {
      case "hello":
        await this.welcome(message);
        break;
      case "role":
        this.role = message;
        this.emit("role", message);
        break;
      case "changed":
        this.changed = message;
        this.emit("changed", message);
        break;
      case "planned": {
        const known = this.scene?.vehicles[message.vehicle];
        if (known) known.plan = message.plan;
        this.emit("planned", message);
        break;
      }
      case "driven":
        this.driven.set(message.vehicle, message);
        this.emit("driven", message);
        break;
      case "tuned": {
        const known = this.hello?.parameters.find((parameter) => parameter.name === message.name);
        if (known) known.value = message.value;
        this.emit("tuned", message);
        break;
      }
      case "notice":
        this.emit("notice", message);
        break;
      case "sheet":
        this.emit("sheet", message);
        break;
      case "checked":
        this.emit("checked", message);
        break;
    }
  }

  private async welcome(hello: Hello): Promise<void> {
    const socket = this.socket;
    const answer = await fetch(this.withToken("scene.json")).catch(() => null);
    if (!answer) {
      socket?.close(); // and try again
      return;
    }
    if (socket !== this.socket) return; // lost meanwhile: the next connection says hello again
    if (!answer.ok) {
      this.emit("notice", {
        kind: "notice",
        level: "error",
        text: `The scene could not be loaded (${answer.status}).`,
      });
      return;
    }
    this.scene = (await answer.json()) as Scene;
    this.hello = hello;
    this.frame = null;
    this.driven.clear();
    this.vehicle = Math.min(this.vehicle, Math.max(0, this.scene.vehicles.length - 1));
    this.retry = FIRST_RETRY;
    this.emit("world", this.scene);
    this.connected = true;
    this.emit("connection", true);
  }

  /** One message that could not be taken in must not make the page deaf to those that follow. */
  private doubt(why: unknown): void {
    this.misfits += 1;
    console.error(why);
  }

  private see(buffer: ArrayBuffer): void {
    if (!this.hello) return;
    const began = performance.now();
    const seen = decode(buffer, this.hello);
    if (seen === null) this.misfits += 1;
    else if (seen instanceof Frame) {
      this.frame = seen;
      this.emit("frame", seen);
    } else this.emit("picture", seen);
    this.spent += performance.now() - began;
  }

  private async lost(code: number): Promise<void> {
    this.socket = null;
    this.trouble = code === RUN_ENDED ? "The run has ended." : await this.findTrouble();
    this.connected = false;
    this.role = { ...this.role, pilot: false };
    this.emit("connection", false);
    setTimeout(() => this.connect(), this.retry);
    this.retry = Math.min(this.retry * 1.6, LONGEST_RETRY);
  }

  /** A browser does not say why a WebSocket was refused; the same question over HTTP is answered. */
  private async findTrouble(): Promise<string> {
    try {
      const answer = await fetch(this.withToken("scene.json"), { method: "HEAD" });
      return answer.status === FORBIDDEN ? "The token in the address is missing or wrong." : "";
    } catch {
      return "The simulation does not answer.";
    }
  }
}
