// What happened in the run: asked for whenever the server says that there is something new.

import type { Link } from "./link";
import type { RunEvent, RunEvents as Told } from "./messages";

export class RunEvents {
  all: RunEvent[] = [];
  /** How many earlier ones are not kept. */
  lost = 0;
  private readonly listeners: (() => void)[] = [];
  private known = NaN;
  private asking = false;

  constructor(private readonly link: Link) {
    link.on("world", () => {
      this.take({ events: [], lost: 0 });
      this.known = NaN;
      this.look();
    });
    link.on("changed", () => this.look());
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** The one that is nearest to a time [s], within a reach [s]. */
  near(time: number, reach: number): RunEvent | null {
    const far = (one: RunEvent) => Math.abs(one.time - time);
    const best = this.all.reduce<RunEvent | null>((found, one) => (found && far(found) <= far(one) ? found : one), null);
    return best && far(best) <= reach ? best : null;
  }

  private look(): void {
    const { changed } = this.link;
    if (changed && (changed.events ?? 0) !== this.known && !this.asking) void this.ask(changed.events ?? 0);
  }

  private async ask(number: number): Promise<void> {
    this.asking = true;
    const { hello } = this.link;
    const answer = await this.link.get("events.json", {}).catch(() => null);
    this.asking = false;
    if (!answer?.ok || hello !== this.link.hello) return;
    this.known = number;
    this.take((await answer.json()) as Told);
    this.look();
  }

  private take({ events, lost = 0 }: Told): void {
    [this.all, this.lost] = [events, lost];
    for (const listener of this.listeners) listener();
  }
}

/** As people read it: time and words. */
export function said({ time, text }: RunEvent): string {
  return `${time.toFixed(2)} s: ${text}`;
}
