// The run: which scenario, go and pause, how fast, over again, recording, who holds the sticks.

import { h, iconButton, icon, say } from "../dom";
import type { Frame } from "../frame";
import type { Link } from "../link";
import type { Sticks } from "../input/sticks";

const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10];
const EVERY = 150;

export class TopBar {
  readonly element: HTMLElement;
  private readonly scenario = h("select", {
    "aria-label": "Scenario",
    class: "scenario",
    onchange: () => this.load(),
    onkeydown: (event) => openFirst(event as KeyboardEvent),
  });
  private readonly go = iconButton("pause", "Pause (P)", () => this.toggle());
  private readonly step = iconButton("step", "Single step (O)", () => this.link.send({ kind: "step" }));
  private readonly speed = h("select", { "aria-label": "Speed of the world", onchange: () => this.setSpeed() });
  private readonly reset = iconButton("reset", "Start over (R)", () => this.link.send({ kind: "reset" }));
  private readonly record = iconButton("record", "Record", () =>
    this.link.send({ kind: "record", on: !this.is("recording") }),
  );
  private readonly time = h("output", { class: "time", "aria-label": "Time of the world" }, "0.00 s");
  private readonly factor = h("output", { class: "factor", title: "Real-time factor" }, "");
  private readonly refused = h("output", { class: "refused", title: "Messages of pages that the server refused" });
  private readonly role = h("button", { type: "button", class: "role", onclick: () => this.handOver() });
  private readonly light = h("span", { class: "light", role: "img" });
  private readonly gallery: HTMLButtonElement;
  private paused = false;
  private shownAt = 0;

  constructor(
    private readonly link: Link,
    private readonly sticks: Sticks,
    openGallery: () => void,
    openHelp: () => void,
    openPanel: () => void,
  ) {
    this.gallery = iconButton("grid", "Gallery of all worlds", openGallery);
    this.speed.append(
      ...SPEEDS.map((factor) => h("option", { value: factor }, `× ${factor}`)),
      h("option", { value: "max" }, "max"),
    );
    this.speed.value = "1";
    this.element = h(
      "header",
      { class: "top-bar" },
      h("h1", { class: "brand" }, this.light, "Cupola"),
      this.scenario,
      this.gallery,
      h(
        "div",
        { class: "run", role: "group", "aria-label": "Run" },
        this.go,
        this.step,
        this.reset,
        this.speed,
        this.record,
      ),
      h("div", { class: "clock" }, this.time, this.factor, this.refused),
      h("span", { class: "spring" }),
      this.role,
      iconButton("help", "Help and keys (H)", openHelp),
      iconButton("panel", "Side panel (`)", openPanel),
    );
    link.on("world", () => this.welcome());
    link.on("role", () => this.showRole());
    link.on("connection", () => this.showRole());
  }

  update(frame: Frame): void {
    const now = performance.now();
    if (now - this.shownAt < EVERY) return;
    this.shownAt = now;
    say(this.time, `${frame.clock("time").toFixed(2)} s`);
    const factor = frame.clock("real_time_factor");
    say(this.factor, frame.clock("paused") ? "paused" : `${factor >= 9.95 ? factor.toFixed(0) : factor.toFixed(2)}×`);
    const refused = frame.clock("refused");
    say(this.refused, refused > 0 ? `${refused} refused` : "");
    this.showPaused(frame.clock("paused") > 0);
    const recording = this.is("recording");
    this.record.classList.toggle("on", recording);
    this.record.setAttribute("aria-pressed", String(recording));
    const speed = frame.clock("speed");
    if (document.activeElement !== this.speed) this.speed.value = speed > 0 ? String(nearest(speed)) : "max";
  }

  toggle(): void {
    this.link.send({ kind: "pause", paused: !this.is("paused") });
  }

  /** As the last frame says, not as was last shown. */
  private is(state: "paused" | "recording"): boolean {
    return (this.link.frame?.clock(state) ?? 0) > 0;
  }

  private showPaused(paused: boolean): void {
    if (paused === this.paused) return;
    this.paused = paused;
    this.go.replaceChildren(icon(paused ? "play" : "pause"));
    for (const name of ["aria-label", "title"]) this.go.setAttribute(name, paused ? "Go on (P)" : "Pause (P)");
    this.go.classList.toggle("primary", paused);
  }

  private welcome(): void {
    const { hello } = this.link;
    if (!hello) return;
    const names = hello.scenarios.includes(hello.scenario) ? hello.scenarios : [hello.scenario, ...hello.scenarios];
    this.scenario.replaceChildren(
      ...names.map((name) => h("option", { value: name }, hello.replay ? `Replay: ${name}` : name)),
    );
    this.scenario.value = hello.scenario;
    this.scenario.title = hello.about;
    this.scenario.disabled = hello.replay !== null;
    this.record.hidden = this.reset.hidden = hello.replay !== null;
    this.gallery.hidden = this.link.isFile;
    document.title = `${hello.scenario} · Cupola`;
    this.showRole();
  }

  private showRole(): void {
    const { connected, role, hello } = this.link;
    this.light.className = `light ${connected ? "good" : "bad"}`;
    this.light.setAttribute("aria-label", connected ? "connected" : "not connected");
    const others = role.pages > 1 ? ` · ${role.pages} pages` : "";
    const doing = hello?.replay ? "Replay" : "In control";
    const text = !connected
      ? "Connecting…"
      : role.pilot
        ? doing + others
        : role.taken
          ? "Watching · take the sticks"
          : "Take the sticks";
    say(this.role, text);
    this.role.title = role.pilot ? "You hold the sticks. Click to let go of them." : "Click to take the sticks.";
    this.role.classList.toggle("pilot", connected && role.pilot);
    this.role.disabled = !connected || (role.pilot && role.pages < 2);
  }

  private handOver(): void {
    if (this.link.role.pilot) {
      this.sticks.neutral();
      this.link.send({ kind: "give_sticks" });
    } else this.link.takeSticks(true);
  }

  private load(): void {
    this.link.send({ kind: "load", scenario: this.scenario.value });
    this.scenario.blur();
  }

  private setSpeed(): void {
    this.link.send({ kind: "speed", factor: this.speed.value === "max" ? null : Number(this.speed.value) });
    this.speed.blur();
  }
}

/** A key opens the list instead of choosing at once: another world would be loaded, and what was tuned lost. */
export function openFirst(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLSelectElement;
  if (event.key === "Tab" || event.key === "Escape") return;
  event.preventDefault();
  if (["ArrowUp", "ArrowDown", "Enter", " "].includes(event.key)) list.showPicker();
}

/** The speed in the list that is closest, by ratio. */
export function nearest(speed: number): number {
  return SPEEDS.reduce((best, one) =>
    Math.abs(Math.log(one / speed)) < Math.abs(Math.log(best / speed)) ? one : best,
  );
}
