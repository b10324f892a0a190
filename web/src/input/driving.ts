// Driving a base by hand: keys, gamepad and cursor as they are. What they mean, the server knows.

import type { Link } from "../link";
import { DRIVE_KEYS, type Hand, MOVE_KEYS, STICKS_EXPIRE } from "../messages";
import type { Gamepads } from "./gamepad";
import { isTyping } from "./keyboard";

export type DriveKey = (typeof DRIVE_KEYS)[number];

const EVERY = 20;
/** [ms] between two messages when nothing changes: ten within the time after which the base stops. */
const REPEAT = (1000 * STICKS_EXPIRE) / 10;
/** Buttons of a standard gamepad. */
const BUTTONS: [number, DriveKey][] = [
  [4, "PadLB"],
  [5, "PadRB"],
  [8, "PadSelect"],
  [9, "PadStart"],
];
const MOST_NOTCHES = 10;
const POINTS = "(any-pointer: fine), (any-pointer: coarse)";

export class Driving {
  /** From the centre of the panel, right and up. */
  cursor: [number, number] = [0, 0];
  private readonly held = new Set<DriveKey>();
  private notches = 0;
  private on = false;
  /** Whether it has moved anything since it last stopped. */
  private used = false;
  private said = "";
  private sentAt = -Infinity;

  constructor(
    private readonly link: Link,
    private readonly gamepads: Gamepads,
    private readonly refused: () => void,
  ) {
    // Before all others: while the panel is in sight these keys drive, whatever they do elsewhere.
    addEventListener("keydown", (event) => this.down(event), { capture: true });
    addEventListener("keyup", (event) => this.release(event.code as DriveKey), { capture: true });
    addEventListener("blur", () => this.letGo());
    document.addEventListener("visibilitychange", () => document.hidden && this.letGo());
    for (const name of ["connection", "vehicle", "world"] as const) link.on(name, () => this.letGo());
    setInterval(() => document.hasFocus() && this.update(), EVERY); // a silent hand stops the base
  }

  /** Whether the panel is in sight. */
  get active(): boolean {
    return this.on;
  }

  set active(on: boolean) {
    if (on === this.on) return;
    if (!on) this.letGo();
    this.on = this.gamepads.lent = on;
    document.body.classList.toggle("driving", on);
  }

  /** Whether there is something to stop here. */
  get moving(): boolean {
    return this.used && this.link.holdsSticks && (this.link.driven.get(this.link.vehicle)?.by_hand ?? false);
  }

  press(key: DriveKey): void {
    if (!this.link.holdsSticks && !this.link.takeSticks()) {
      this.refused();
      return;
    }
    this.held.add(key);
    this.update();
    if (key === "Space") this.used = false;
  }

  release(key: DriveKey): void {
    if (this.held.delete(key)) this.update();
  }

  tap(key: DriveKey): void {
    this.press(key);
    this.release(key);
  }

  scroll(notches: number): void {
    this.notches = Math.min(MOST_NOTCHES, Math.max(-MOST_NOTCHES, this.notches + notches));
  }

  /** All hands off, and what would go on by itself stops. */
  letGo(): void {
    this.held.clear();
    this.cursor = [0, 0];
    this.notches = 0;
    if (this.moving) this.tap("Space");
    else this.update();
  }

  /** Say what the devices do, at once when that is new. */
  update(): void {
    const { link } = this;
    if (!this.on || !link.connected || !link.holdsSticks) return;
    const now = performance.now();
    const hand = this.read();
    this.used ||= moves(hand);
    const text = JSON.stringify(hand);
    if (text === this.said && now - this.sentAt < REPEAT) return;
    this.said = text;
    this.sentAt = now;
    this.notches = 0;
    link.send(hand);
  }

  private read(): Hand {
    const { device } = this.gamepads;
    const at = this.gamepads.sticks();
    const buttons = BUTTONS.filter(([k]) => at && device?.buttons[k]?.pressed).map(([, key]) => key);
    return {
      kind: "hand",
      vehicle: this.link.vehicle,
      keys: [...this.held, ...buttons],
      pad: at && [at.yaw, at.throttle, at.roll, -at.pitch],
      cursor: matchMedia(POINTS).matches ? this.cursor : null,
      notches: this.notches,
    };
  }

  private down(event: KeyboardEvent): void {
    const key = event.code as DriveKey;
    if (!this.on || !DRIVE_KEYS.includes(key) || isTyping(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    // Space goes on to the motors when there is nothing to stop here.
    if (key === "Space" && !this.moving) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) this.press(key);
  }
}

function moves({ keys, pad, cursor, notches }: Hand): boolean {
  const axes = [...(pad ?? []), ...(cursor ?? []), notches ?? 0];
  return axes.some((at) => at !== 0) || MOVE_KEYS.some((key) => keys.includes(key));
}
