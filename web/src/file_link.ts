// What stands in for the connection in a shared file: the flight is in the file, and time passes here.

import { Flight } from "./flown";
import { Frame, STATE_FRAME } from "./frame";
import { Link } from "./link";
import { CLOCK, type FromPage } from "./messages";

/** Of the element that holds the flight. */
export const DATA = "flight";
const STEP = 1 / 50;

export class FileLink extends Link {
  override readonly isFile = true;
  flight: Flight | null = null;
  private time = 0;
  private paused = false;
  private speed = 1;
  /** Whether there is something new to show. */
  private stale = true;

  constructor(private readonly data: string) {
    super(null);
  }

  override connect(): void {
    void this.open().catch((why: unknown) => {
      this.trouble = `This file cannot be read: ${String(why)}`;
      this.emit("connection", false);
    });
  }

  override send(message: FromPage): boolean {
    const [first, last] = this.flight?.span ?? [0, 0];
    switch (message.kind) {
      case "pause":
        if (!message.paused && this.time >= last) this.time = first;
        this.paused = message.paused;
        break;
      case "seek":
        this.time = Math.min(last, Math.max(first, message.time));
        break;
      case "speed":
        this.speed = message.factor ?? 10;
        break;
      case "step":
        if (this.paused) this.time = Math.min(last, this.time + (message.ticks ?? 1) * STEP);
        break;
      case "watch":
      case "take_sticks":
      case "give_sticks":
      case "sticks":
      case "hand":
        return true;
      default:
        this.emit("notice", {
          kind: "notice",
          level: "warning",
          text: `A shared flight cannot ${message.kind.replace("_", " ")}: it can be paused, sought and played at any speed.`,
        });
        return false;
    }
    this.stale = true;
    return true;
  }

  override pass(seconds: number): void {
    if (!this.flight || !this.hello) return;
    const [, last] = this.flight.span;
    if (!this.paused) {
      this.time = Math.min(last, this.time + seconds * this.speed);
      this.paused = this.time >= last;
      this.stale = true;
    }
    if (this.stale) this.show();
  }

  override get(path: string, question: Record<string, string | number>): Promise<Response> {
    if (path === "events.json" && this.flight) return Promise.resolve(Response.json(this.flight.head.happened ?? { events: [] }));
    if (path !== "curves" || !this.flight) return Promise.resolve(new Response(null, { status: 404 }));
    const signals = String(question.signals).split(",").filter(Boolean).map(Number);
    const { columns, whole } = this.flight.curves(signals, Number(question.since), Number(question.until));
    const numbers = [columns[0]!.length, Number(whole), ...columns.flatMap((column) => [...column])];
    return Promise.resolve(new Response(Float64Array.from(numbers)));
  }

  override post(): Promise<Response> {
    return Promise.resolve(new Response("A shared flight has no server that could read it.", { status: 404 }));
  }

  private async open(): Promise<void> {
    const packed = Uint8Array.from(atob(this.data.trim()), (letter) => letter.charCodeAt(0));
    const flight = await Flight.read(packed);
    this.flight = flight;
    this.hello = { ...flight.head.hello, note: flight.head.note };
    this.scene = flight.head.scene;
    this.time = flight.span[0];
    this.role = { kind: "role", pilot: true, taken: true, pages: 1 };
    this.connected = true;
    this.emit("role", this.role);
    this.emit("world", this.scene);
    this.emit("connection", true);
    this.show();
  }

  private show(): void {
    const { flight, hello } = this;
    if (!flight || !hello) return;
    this.stale = false;
    const numbers = new Float64Array(hello.length);
    flight.fill(numbers, this.time);
    const changed = flight.changedAt(this.time);
    const clock: Partial<Record<(typeof CLOCK)[number], number>> = {
      kind: STATE_FRAME,
      time: this.time,
      tick: Math.round(this.time / hello.step),
      real_time_factor: this.paused ? 0 : this.speed,
      paused: Number(this.paused),
      speed: this.speed,
      emergency: Number(changed?.conditions.some(({ name }) => name === "motors off") ?? false),
      end: flight.span[1],
    };
    CLOCK.forEach((name, k) => (numbers[k] = clock[name] ?? 0));
    if (changed && changed !== this.changed) {
      this.changed = changed;
      this.emit("changed", changed);
    }
    this.frame = new Frame(numbers, hello.layout);
    this.emit("frame", this.frame);
  }
}
