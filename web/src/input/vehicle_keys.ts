// Keys that a vehicle takes for its own controller: while it is chosen they press its channels and do nothing else.

import type { Link } from "../link";
import { isTyping } from "./keyboard";
import type { Sticks } from "./sticks";

/** [ms] for which a key that was tapped stays pressed at least, so that no call of the controller misses it. */
export const TAP = 150;

/** The name of a key in a vehicle's file: by its place for letters, digits and arrows, else what it types. */
export function nameOf(code: string, key: string): string {
  return /^(?:Key|Digit|Arrow)(.+)$/.exec(code)?.[1]?.toLowerCase() ?? key;
}

export class VehicleKeys {
  /** When each key that is down went down [ms], by its place; the channel that it presses. */
  private readonly down = new Map<string, { channel: number; since: number }>();
  /** Channels of keys that are up again and not pressed for long enough yet. */
  private readonly tapped = new Set<number>();

  constructor(
    private readonly link: Link,
    private readonly sticks: Sticks,
  ) {
    // Before all others: a vehicle's own keys win.
    addEventListener("keydown", (event) => this.press(event), { capture: true });
    addEventListener("keyup", (event) => this.release(event.code), { capture: true });
  }

  private press(event: KeyboardEvent): void {
    const name = nameOf(event.code, event.key);
    const channel = this.link.vehicleInfo?.keys.find((key) => key.name === name)?.channel ?? -1;
    if (channel < 0 || this.link.hello?.replay || isTyping(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.repeat || !this.sticks.mayTake()) return;
    for (const after of this.tapped) this.sticks.held.delete(after); // the newest key is the one that counts
    this.tapped.clear();
    this.down.set(event.code, { channel, since: performance.now() });
    this.sticks.held.set(channel, 1);
    this.sticks.update();
  }

  private release(code: string): void {
    const key = this.down.get(code);
    if (!key) return;
    this.down.delete(code);
    this.tapped.add(key.channel);
    const left = Math.max(0, key.since + TAP - performance.now());
    setTimeout(() => {
      if (!this.tapped.delete(key.channel)) return; // another key came
      this.sticks.held.delete(key.channel);
      this.sticks.update();
    }, left);
  }
}
