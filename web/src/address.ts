// What stands behind # in the address: the moment, where one looks from, the plots. A copy of it shows the same.

import type { Link } from "./link";
import type { Plots } from "./panels/plots";
import { type View, VIEWS } from "./world/views";
import type { WorldView } from "./world/world_view";

/** [ms] between two changes of the address. */
const EVERY = 700;

export class Address {
  private writtenAt = 0;
  private waits = true;
  /** Of which the address tells; another world begins as it is. */
  private scenario: string | null = null;

  constructor(
    private readonly link: Link,
    private readonly world: WorldView,
    private readonly plots: Plots,
    /** What a shared file was made with. */
    private readonly given: () => string,
  ) {
    link.on("world", () => (this.waits = true));
  }

  /** What the page shows now. */
  get text(): string {
    const { frame, hello, vehicle } = this.link;
    const parts = new URLSearchParams();
    if (hello?.replay && frame?.clock("paused")) parts.set("t", frame.clock("time").toFixed(3));
    if (vehicle) parts.set("vehicle", String(vehicle));
    parts.set("view", this.world.views.view);
    parts.set("camera", this.world.views.pose.map((number) => Number(number.toFixed(3))).join(","));
    parts.set("span", this.plots.span);
    for (const names of this.plots.names) parts.append("plot", names.map((name) => name.replaceAll("%", "%25").replaceAll(" ", "%20")).join(" "));
    return parts.toString();
  }

  /** Called with each picture. */
  update(): void {
    if (!this.link.frame) return;
    if (this.waits) {
      this.waits = false;
      const now = this.link.hello?.scenario ?? "";
      const told = this.scenario === null || this.scenario === now;
      this.scenario = now;
      if (told) this.apply(location.hash.slice(1) || this.given());
      return;
    }
    const now = performance.now();
    if (now - this.writtenAt < EVERY) return;
    this.writtenAt = now;
    const address = `#${this.text}`;
    if (location.hash === address) return;
    try {
      history.replaceState(null, "", address);
    } catch {
      // A page inside of another may not: the view is kept in the shared file alone.
      this.writtenAt = Infinity;
    }
  }

  /** Show what an address says; what it does not say, or says wrongly, stays. */
  private apply(text: string): void {
    const parts = new URLSearchParams(text);
    const vehicle = Number(parts.get("vehicle") ?? NaN);
    if (vehicle in (this.link.scene?.vehicles ?? [])) this.link.select(vehicle);
    const view = parts.get("view") ?? "";
    if (view in VIEWS || /^camera \d+$/.test(view)) this.world.views.set(view as View);
    const pose = (parts.get("camera") ?? "").split(",").map(Number);
    if (pose.length === 6 && pose.every(Number.isFinite)) this.world.views.start(pose);
    const names = parts.getAll("plot").map((one) => one.split(" ").filter(Boolean).map((name) => name.replaceAll("%20", " ").replaceAll("%25", "%")));
    if (names.length) this.plots.show(names);
    this.plots.span = parts.get("span") ?? this.plots.span;
    const time = parts.has("t") ? Number(parts.get("t")) : NaN;
    if (!Number.isFinite(time) || !this.link.hello?.replay) return;
    this.link.send({ kind: "pause", paused: true });
    this.link.send({ kind: "seek", time });
  }
}
