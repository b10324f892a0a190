// Runs to compare the present one with: earlier ones of this world, and recordings that were dropped on the page.

import { RUN_COLORS } from "./colors";
import { Flight } from "./flown";
import type { Link } from "./link";

export interface Run {
  name: string;
  /** What was tuned, or where it comes from. */
  about: string;
  color: string;
  /** Of the server; 0: it is in this page only. */
  number: number;
  flight: Flight | null;
  shown: boolean;
}

export class Runs {
  list: Run[] = [];
  /** Something is to be drawn anew. */
  onChange: () => void = () => {};
  private scenario = "";

  constructor(private readonly link: Link) {
    link.on("changed", () => this.follow());
    link.on("world", () => {
      // Another world: the runs of the former are gone with it, files stay.
      if (link.hello?.scenario !== this.scenario) this.list = this.list.filter(({ number }) => !number);
      this.scenario = link.hello?.scenario ?? "";
      this.onChange();
    });
  }

  /** Those whose curves and ghosts are seen. */
  get shown(): (Run & { flight: Flight })[] {
    return this.list.filter((run): run is Run & { flight: Flight } => run.shown && run.flight !== null);
  }

  async show(run: Run, on: boolean): Promise<void> {
    run.shown = on;
    if (on && !run.flight) {
      run.flight = await this.fetch({ run: run.number });
      run.shown = run.flight !== null;
    }
    this.onChange();
  }

  remove(run: Run): void {
    this.list = this.list.filter((one) => one !== run);
    this.onChange();
  }

  /** The present run as it is until now; false when the server does not hand it over. */
  async keepNow(): Promise<boolean> {
    const flight = await this.fetch({});
    if (flight) this.add(`until ${flight.span[1].toFixed(1)} s`, "This run, until then", flight);
    return flight !== null;
  }

  /** A recording, read by the server; why not, when that does not work. */
  async drop(file: File): Promise<string> {
    const answer = await this.link.post("recording", file).catch(() => null);
    if (!answer) return "there is no connection";
    if (!answer.ok) return (await answer.text()) || `the server answers ${answer.status}`;
    const flight = await Flight.read(new Uint8Array(await answer.arrayBuffer()));
    this.add(file.name, "Recording", flight);
    return "";
  }

  private add(name: string, about: string, flight: Flight): void {
    this.list.push({ name, about, color: this.color(), number: 0, flight, shown: true });
    this.onChange();
  }

  private async fetch(question: Record<string, number>): Promise<Flight | null> {
    const answer = await this.link.get("flight.data", question).catch(() => null);
    return answer?.ok ? Flight.read(new Uint8Array(await answer.arrayBuffer())) : null;
  }

  private follow(): void {
    const infos = this.link.changed?.runs ?? [];
    const before = this.list.length;
    this.list = this.list.filter(({ number }) => !number || infos.some((info) => info.number === number));
    const known = new Set(this.list.map(({ number }) => number));
    const fresh = infos.filter(({ number }) => !known.has(number));
    for (const { number, end, tuned } of fresh)
      this.list.push({
        name: `run ${number}`,
        about: `${end.toFixed(1)} s · ${tuned.join(", ") || "as loaded"}`,
        color: this.color(),
        number,
        flight: null,
        shown: false,
      });
    if (fresh.length || this.list.length !== before) this.onChange();
  }

  /** One that no other has, as long as there is any. */
  private color(): string {
    const used = new Set(this.list.map(({ color }) => color));
    return RUN_COLORS.find((color) => !used.has(color)) ?? RUN_COLORS[this.list.length % RUN_COLORS.length]!;
  }
}

/** Which signal of a flight is meant by a name; a vehicle may be called otherwise there. */
export function signalIn(flight: Flight, name: string, vehicle: string): number {
  const { signals } = flight.head.hello;
  const exact = signals.findIndex((signal) => signal.name === name);
  if (exact >= 0 || !name.startsWith(`${vehicle}.`)) return exact;
  const other = flight.head.scene.vehicles[0]?.name ?? "";
  return signals.findIndex((signal) => signal.name === other + name.slice(vehicle.length));
}
