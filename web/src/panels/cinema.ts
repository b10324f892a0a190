// Pictures of the 3-D view in any size, and films of a flight in simulated time.

import { block, h, icon, say, toggle } from "../dom";
import { FileLink } from "../file_link";
import { film, moments, type Plan } from "../film";
import { Flight } from "../flown";
import { Frame, STATE_FRAME } from "../frame";
import type { Link } from "../link";
import { CLOCK } from "../messages";
import { figureName, save } from "../save";
import type { WorldView } from "../world/world_view";

const SIZES: [string, number, number][] = [
  ["640 × 360", 640, 360],
  ["1280 × 720", 1280, 720],
  ["1920 × 1080", 1920, 1080],
  ["3840 × 2160 (4K)", 3840, 2160],
];
const RATES = [24, 25, 30, 50, 60];
const WHY =
  "A film is drawn picture by picture in the time of the simulation and saved as a ZIP file of PNGs, with the line that makes a video of them.";

export class Cinema {
  readonly element: HTMLElement;
  /** Whether a film is being made: nothing else may be drawn. */
  busy = false;
  private readonly size = h(
    "select",
    { "aria-label": "Size of pictures" },
    ...SIZES.map(([name], k) => h("option", { value: k }, name)),
  );
  private readonly rate = h(
    "select",
    { "aria-label": "Pictures a second" },
    ...RATES.map((rate) => h("option", { value: rate }, `${rate} a second`)),
  );
  private readonly since = h("input", { type: "number", min: 0, step: 0.1, value: 0, "aria-label": "Film from [s]" });
  private readonly until = h("input", { type: "number", min: 0, step: 0.1, value: 10, "aria-label": "Film until [s]" });
  private readonly note = h("p", { class: "note", role: "status" }, WHY);
  private readonly make = h("button", { type: "button", class: "button", onclick: () => void this.begin() }, "Make a film");
  private transparent = false;
  private stopped = false;

  constructor(
    private readonly link: Link,
    private readonly world: WorldView,
  ) {
    this.rate.value = "60";
    this.size.value = "1";
    const picture = h("button", { type: "button", class: "button", onclick: () => void this.takePicture() }, icon("camera"), "Save picture");
    this.element = block(
      "Pictures and film",
      h("div", { class: "buttons" }, this.size, picture),
      toggle("Without sky and ground", false, (on) => (this.transparent = on)),
      h("div", { class: "buttons" }, this.since, h("span", {}, "to"), this.until, h("span", {}, "s"), this.rate),
      h("div", { class: "buttons" }, this.make),
      this.note,
    );
    link.on("world", () => {
      const [first, last] = link.hello?.replay ?? [0, 10];
      this.since.value = first.toFixed(1);
      this.until.value = Math.min(last, first + 10).toFixed(1);
    });
  }

  private get wanted(): [number, number] {
    const [, width, height] = SIZES[Number(this.size.value)]!;
    return [width, height];
  }

  private async takePicture(): Promise<void> {
    save(await this.world.stage.picture(...this.wanted, this.transparent), figureName(this.link.hello?.scenario ?? "", ["view"]) + ".png");
  }

  private async begin(): Promise<void> {
    if (this.busy) {
      this.stopped = true;
      return;
    }
    const plan: Plan = { since: Number(this.since.value), until: Number(this.until.value), rate: Number(this.rate.value) };
    if (!(plan.until > plan.since)) {
      say(this.note, "A film needs an end that is later than its beginning.");
      return;
    }
    say(this.note, "Reading the flight…");
    const flight = await this.flight().catch(() => null);
    if (!flight) {
      say(this.note, "The simulation did not hand the flight over.");
      return;
    }
    const [first, last] = flight.span;
    const cut: Plan = { ...plan, since: Math.max(first, plan.since), until: Math.min(last, plan.until) };
    if (!(cut.until > cut.since)) {
      say(this.note, `The flight has moments from ${first.toFixed(1)} to ${last.toFixed(1)} s only.`);
      return;
    }
    this.busy = true;
    this.stopped = false;
    say(this.make, "Stop");
    try {
      const made = await film(cut, (time) => this.draw(flight, time, 1 / cut.rate), (done, all) => {
        say(this.note, `${done} of ${all} pictures`);
        return !this.stopped;
      });
      if (made) {
        save(made, figureName(this.link.hello?.scenario ?? "", ["film"]) + ".zip");
        const shorter = cut.since !== plan.since || cut.until !== plan.until ? ` The flight ends at ${last.toFixed(1)} s.` : "";
        const count = moments(cut).length;
        say(this.note, `Saved ${count} pictures, ${(made.size / 1e6).toFixed(1)} MB.${shorter}`);
      } else say(this.note, "Stopped: nothing was saved.");
    } catch (why) {
      say(this.note, `The film could not be made: ${String(why)}`);
    } finally {
      this.busy = false;
      say(this.make, "Make a film");
    }
  }

  /** What is in the file, or what the server has of the run until now. */
  private async flight(): Promise<Flight | null> {
    if (this.link instanceof FileLink) return this.link.flight;
    const answer = await this.link.get("flight.data", {});
    return answer.ok ? Flight.read(new Uint8Array(await answer.arrayBuffer())) : null;
  }

  private async draw(flight: Flight, time: number, seconds: number): Promise<Blob> {
    const { layout, length } = flight.head.hello;
    const numbers = new Float64Array(length);
    flight.fill(numbers, time);
    numbers[CLOCK.indexOf("kind")] = STATE_FRAME;
    numbers[CLOCK.indexOf("time")] = time;
    const frame = new Frame(numbers, layout);
    this.world.draw(frame, seconds);
    const picture = await this.world.stage.picture(...this.wanted, this.transparent);
    await new Promise((done) => setTimeout(done)); // the page stays alive
    return picture;
  }
}
