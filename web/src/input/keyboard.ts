// Keys with press and release. Left hand: up, down, turn. Right hand: forward, back, left, right.

import type { Deflection } from "./sticks";

type Stick = "roll" | "pitch" | "yaw" | "throttle";

/** Physical places of keys, so that they are the same on every layout. */
export const MOVES: Record<string, [Stick, number]> = {
  ArrowRight: ["roll", 1],
  ArrowLeft: ["roll", -1],
  ArrowUp: ["pitch", -1],
  ArrowDown: ["pitch", 1],
  KeyD: ["yaw", 1],
  KeyA: ["yaw", -1],
  KeyW: ["throttle", 1],
  KeyS: ["throttle", -1],
};

/** Deflection of the raw sticks: they command attitude or surfaces, where full is rarely wanted. */
const RAW = 0.4;
const GENTLE = 0.3;
/** [1/s] with which a held key moves a throttle that stays where it is put. */
const THROTTLE_RATE = 0.6;

/** Whether a key belongs to the element that has the focus. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (!target) return false;
  if (target.isContentEditable || target.tagName === "TEXTAREA" || target.tagName === "SELECT") return true;
  if (target.role === "separator") return event.code.startsWith("Arrow");
  if (!(target instanceof HTMLInputElement)) return false;
  if (target.type === "range" || target.type === "radio") return event.code.startsWith("Arrow");
  return target.type !== "checkbox";
}

export class Keyboard {
  readonly held = new Set<string>();
  private gentle = false;
  private throttle: number | null = null;

  /** `pressed` is told of each new movement key. */
  constructor(
    private readonly pressed: () => void,
    private readonly released: () => void,
  ) {
    addEventListener("keydown", (event) => this.down(event));
    addEventListener("keyup", (event) => this.up(event));
  }

  letGo(): void {
    this.held.clear();
    this.throttle = null;
  }

  /** A throttle that rests at an end stays where keys put it, beginning where it is `now`; any other springs back. */
  read(raw: boolean, rest: number, now: number, seconds: number): Deflection | null {
    if (!this.held.size && this.throttle === null) return null;
    const size = this.gentle ? GENTLE : raw ? RAW : 1;
    if (rest === 0) this.throttle = null;
    else this.throttle ??= now;
    const at: Deflection = { roll: 0, pitch: 0, yaw: 0, throttle: rest };
    for (const key of this.held) {
      const [stick, sign] = MOVES[key]!;
      if (stick !== "throttle") at[stick] += sign * size;
      else if (this.throttle === null) at.throttle += sign * size;
      else this.throttle = clamp(this.throttle + sign * THROTTLE_RATE * seconds);
    }
    if (this.throttle !== null) at.throttle = this.throttle;
    return at;
  }

  private down(event: KeyboardEvent): void {
    this.gentle = event.shiftKey;
    if (!(event.code in MOVES) || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.repeat || this.held.has(event.code)) return;
    this.held.add(event.code);
    this.pressed();
  }

  private up(event: KeyboardEvent): void {
    this.gentle = event.shiftKey;
    if (this.held.delete(event.code)) this.released();
  }
}

export function clamp(value: number): number {
  return Math.min(1, Math.max(-1, value));
}
