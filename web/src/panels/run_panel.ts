// Snapshots, recording, faults.

import { block, h, icon, say } from "../dom";
import { goTo, type Link } from "../link";
import type { FaultInfo } from "../messages";
import { type RunEvents, said } from "../run_events";

/** Events that are listed; all are marked on the bar of the time. */
const MOST_EVENTS = 100;
const KINDS = { off: "Off", stuck: "Stuck", loss: "Lost packets" } as const;

export class RunPanel {
  readonly element: HTMLElement;
  private readonly snapshots = h("div", { class: "buttons" });
  private readonly recording = h("p", { class: "note" });
  private readonly recorder = h("button", {
    type: "button",
    class: "button",
    onclick: () => this.link.send({ kind: "record", on: !this.link.changed?.recording }),
  });
  private readonly faults = h("div", { class: "faults" });
  private readonly about = h("p", { class: "about" });
  private readonly note = h("p", { class: "note" });
  private readonly earlier = h("p", { class: "note" });
  private readonly happened = h("div", { class: "happened" });
  private readonly live: HTMLElement[];
  private shown = "";

  constructor(
    private readonly link: Link,
    private readonly events: RunEvents,
    taken: HTMLElement[],
  ) {
    const keep = h(
      "button",
      { type: "button", class: "button", onclick: () => link.send({ kind: "keep" }) },
      icon("camera"),
      "Keep this moment",
    );
    this.live = [
      block("Snapshots", keep, this.snapshots),
      block("Recording", this.recorder, this.recording),
      block("Faults", h("p", { class: "note" }, "Click what shall fail, and again to mend it."), this.faults),
    ];
    const happened = block("What happened", this.earlier, this.happened);
    this.element = h("div", {}, block("Scenario", this.about, this.note), happened, ...taken, ...this.live);
    events.onChange(() => this.list());
    link.on("world", () => this.welcome());
    link.on("changed", () => this.show());
  }

  private welcome(): void {
    const { hello } = this.link;
    say(this.about, hello?.about || "No description.");
    say(this.note, hello?.note ?? "");
    for (const part of this.live) part.hidden = hello?.replay != null;
    this.shown = "";
    this.show();
  }

  private show(): void {
    const { changed, hello } = this.link;
    const count = changed?.snapshots ?? hello?.snapshots ?? 0;
    if (this.snapshots.childElementCount !== count) {
      this.snapshots.replaceChildren(
        ...Array.from({ length: count }, (_, k) =>
          h(
            "button",
            { type: "button", class: "button", onclick: () => this.link.send({ kind: "restore", index: k }) },
            icon("restore"),
            `Back to ${k + 1}`,
          ),
        ),
      );
    }
    this.snapshots.hidden = count === 0;
    const file = changed?.recording ?? null;
    this.recorder.replaceChildren(icon("record"), file ? "Stop recording" : "Start recording");
    this.recorder.classList.toggle("danger", file !== null);
    say(
      this.recording,
      file
        ? `Writing ${file}`
        : "Everything that happens can be written to a file and replayed: cupola replay FILE.mcap",
    );
    this.listFaults(changed?.faults ?? hello?.faults ?? []);
  }

  /** The last events, the newest first; a click shows its moment. */
  private list(): void {
    const { all, lost } = this.events;
    const shown = all.slice(-MOST_EVENTS);
    const hidden = lost + all.length - shown.length;
    const kept = lost ? `, ${lost} of them are not kept` : "";
    say(this.earlier, all.length ? (hidden ? `${hidden} more before${kept}.` : "") : "Nothing yet.");
    this.earlier.hidden = !this.earlier.textContent;
    this.happened.hidden = !shown.length;
    this.happened.replaceChildren(
      ...[...shown].reverse().map((one) =>
        h("button", { type: "button", class: one.alarm ? "alarm" : "", onclick: () => goTo(this.link, one.time) }, said(one)),
      ),
    );
  }

  private listFaults(faults: FaultInfo[]): void {
    const now = JSON.stringify(faults);
    if (now === this.shown) return;
    this.shown = now;
    const parts = [...new Set(faults.map(({ part }) => part))];
    this.faults.replaceChildren(
      ...parts.map((part) =>
        h(
          "div",
          { class: "fault" },
          h("span", {}, part),
          h("div", { class: "segments" }, ...faults.filter((one) => one.part === part).map((one) => this.button(one))),
        ),
      ),
    );
    if (!parts.length) this.faults.append(h("p", { class: "empty" }, "Nothing here can break."));
  }

  private button({ part, kind, amount }: FaultInfo): HTMLButtonElement {
    const broken = amount > 0;
    const next = broken ? 0 : kind === "loss" ? 0.5 : 1;
    const lost = kind === "loss" && broken ? `${Math.round(100 * amount)} % lost` : KINDS[kind];
    const words = broken ? `${lost} · mend` : lost;
    return h(
      "button",
      {
        type: "button",
        class: broken ? "danger" : "",
        "aria-pressed": String(broken),
        title: broken ? `Mend ${part}` : `Break ${part}: ${KINDS[kind]}`,
        onclick: () => this.link.send({ kind: "fault", part, fault: kind, amount: next }),
      },
      words,
    );
  }
}
