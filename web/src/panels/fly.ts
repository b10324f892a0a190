// Flying: who flies, which vehicle, the 20 channels live, boxes, wind, a gamepad.

import { block, h, say, toggle } from "../dom";
import type { Frame } from "../frame";
import type { Sticks } from "../input/sticks";
import type { Link } from "../link";
import { STICK_CHANNELS } from "../messages";
import type { GamepadPage } from "./gamepad_page";
import { Slider } from "./slider";

const MODES = { assisted: "Assisted", raw: "Raw", mission: "Mission" } as const;
type ModeName = keyof typeof MODES;
/** [ms] within which a second click on Raw is meant. */
const SURE = 4000;
const WIND: Record<string, string> = { "air.wind_speed": "Speed", "air.wind_from_deg": "From" };
const STICK_NAMES = ["roll", "pitch", "yaw", "throttle"];

export class Fly {
  readonly element: HTMLElement;
  private readonly vehicles = h("select", {
    "aria-label": "Vehicle",
    onchange: () => this.link.select(this.vehicles.selectedIndex),
  });
  private readonly vehicleRow = h("label", { class: "row" }, h("span", {}, "Vehicle"), this.vehicles);
  private readonly modes = h("div", { class: "segments", role: "group", "aria-label": "Who flies" });
  private readonly hint = h("p", { class: "note" });
  private readonly wind = h("div");
  private readonly windBlock = block("Wind", this.wind);
  private readonly bars: { fill: HTMLElement; value: HTMLElement; label: HTMLElement }[] = [];
  private winds: Slider[] = [];
  private askedAt = -Infinity;
  /** What a recording does not answer to. */
  private readonly live: HTMLElement[];

  constructor(
    private readonly link: Link,
    private readonly sticks: Sticks,
    gamepad: GamepadPage,
    showPads: (on: boolean) => void,
    padsShown: boolean,
  ) {
    const boxes = h(
      "div",
      { class: "buttons" },
      h(
        "button",
        {
          type: "button",
          class: "button",
          title: "B",
          onclick: () => link.send({ kind: "drop_box", vehicle: link.vehicle }),
        },
        "Drop a box",
      ),
      h(
        "button",
        { type: "button", class: "button", title: "N", onclick: () => link.send({ kind: "remove_boxes" }) },
        "Remove boxes",
      ),
    );
    this.live = [
      block("Input", toggle("Sticks on the screen", padsShown, showPads), gamepad.element),
      block("Boxes", boxes),
    ];
    this.element = h(
      "div",
      {},
      block("Who flies", this.vehicleRow, this.modes, this.hint),
      block("Channels", this.channels()),
      this.live[0]!,
      this.windBlock,
      this.live[1]!,
    );
    link.on("world", () => this.welcome());
    link.on("changed", () => this.showMode());
    link.on("vehicle", () => this.welcome());
    link.on("role", () => this.showMode());
    link.on("tuned", ({ name, value }) => this.winds.find((one) => one.name === name)?.show(value));
  }

  /** The channels as the world has them. */
  update(frame: Frame): void {
    const rows = frame.get("sticks");
    const first = STICK_CHANNELS * this.link.vehicle;
    this.bars.forEach(({ fill, value }, channel) => {
      const at = rows[first + channel] || 0; // a wheel that is left alone has no number
      const text = at.toFixed(2);
      if (value.textContent === text) return;
      value.textContent = text;
      fill.style.transform = `translateX(${at < 0 ? 50 + 50 * at : 50}%) scaleX(${Math.abs(at) / 2})`;
    });
  }

  /** Raw sticks in the air are asked for twice: with its throttle at rest a multirotor falls. */
  private choose(mode: ModeName): void {
    const { link } = this;
    const flies = link.changed?.conditions[link.vehicle]?.name === "moving" && !link.vehicleInfo?.wheels.length;
    const asked = performance.now() - this.askedAt < SURE;
    if (mode !== "raw" || link.mode === "raw" || !flies || asked) {
      this.askedAt = -Infinity;
      this.setMode(mode);
      return;
    }
    this.askedAt = performance.now();
    say(this.hint, `${this.about(mode)} The throttle is where its stick rests: click Raw again to fly so.`);
  }

  /** What its controller does with the sticks. */
  private about(mode: string): string {
    const info = this.link.vehicleInfo;
    return (info?.mode_texts[info.modes.indexOf(mode)] ?? "").replaceAll("`", "");
  }

  setMode(mode: ModeName): void {
    this.sticks.neutral();
    this.link.send({ kind: "mode", vehicle: this.link.vehicle, mode });
  }

  private welcome(): void {
    const { scene, hello } = this.link;
    this.vehicles.replaceChildren(...(scene?.vehicles ?? []).map(({ name }) => h("option", {}, name)));
    this.vehicles.selectedIndex = this.link.vehicle;
    this.vehicleRow.hidden = (scene?.vehicles.length ?? 0) < 2;
    const names = this.link.vehicleInfo?.sticks ?? [];
    this.bars.forEach(({ label }, channel) => say(label, STICK_NAMES[names.indexOf(channel)] ?? String(channel)));
    const known = hello?.parameters.filter(({ name }) => name in WIND) ?? [];
    this.winds = known.map(
      (one) => new Slider(one, (value) => this.link.send({ kind: "tune", name: one.name, value }), WIND[one.name]),
    );
    this.wind.replaceChildren(...this.winds.map((one) => one.element));
    for (const part of this.live) part.hidden = hello?.replay != null;
    this.windBlock.hidden = !this.winds.length;
    this.showMode();
  }

  private showMode(): void {
    const { mode, vehicleInfo, hello } = this.link;
    const known = (Object.keys(MODES) as ModeName[]).filter((one) => vehicleInfo?.modes.includes(one));
    this.modes.replaceChildren(
      ...known.map((one) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(one === mode),
            title: this.about(one),
            disabled: hello?.replay != null || !this.link.mayFly(one),
            onclick: () => this.choose(one),
          },
          MODES[one],
        ),
      ),
    );
    const locked = known.some((one) => !this.link.mayFly(one)) ? " Whoever started this has locked the other modes." : "";
    say(
      this.hint,
      hello?.replay
        ? "A recording is shown."
        : known.length > 1 || mode !== "mission"
          ? this.about(mode) + locked
          : `Nobody can fly this vehicle by hand. ${this.about(mode)}`,
    );
  }

  private channels(): HTMLElement {
    const list = h("div", { class: "channels" });
    for (let channel = 0; channel < STICK_CHANNELS; channel++) {
      const [fill, value, label] = [h("i"), h("output", {}, "0.00"), h("span", {}, String(channel))];
      this.bars.push({ fill, value, label });
      const press = (event: Event) => this.hold(channel, event as PointerEvent);
      list.append(
        h(
          "button",
          {
            type: "button",
            class: "channel",
            tabIndex: -1, // it is held with a pointer; twenty stops would lie between others
            title: `Channel ${channel}: hold to press it, with Shift to -1`,
            onpointerdown: press,
          },
          label,
          h("span", { class: "bar" }, fill),
          value,
        ),
      );
    }
    return list;
  }

  private hold(channel: number, event: PointerEvent): void {
    if (this.link.vehicleInfo?.sticks.includes(channel)) return;
    this.sticks.takeOver();
    this.sticks.held.set(channel, event.shiftKey ? -1 : 1);
    addEventListener("pointerup", () => this.sticks.held.delete(channel), { once: true });
  }
}
