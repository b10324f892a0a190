// Flying: who flies, which vehicle, the channels that something hears, boxes, wind, a gamepad.

import { block, h, say, toggle } from "../dom";
import type { Frame } from "../frame";
import { clamp } from "../input/keyboard";
import type { Sticks } from "../input/sticks";
import { type Link, moves } from "../link";
import { type ChannelInfo, STICK_CHANNELS } from "../messages";
import type { GamepadPage } from "./gamepad_page";
import { TAP } from "../input/vehicle_keys";
import { ObeyedChannels } from "./obeyed";
import { Slider } from "./slider";

const MODES = { assisted: "Assisted", raw: "Raw", mission: "Mission" } as const;
type ModeName = keyof typeof MODES;
/** [ms] within which a second click on Raw is meant. */
const SURE = 4000;
const WIND: Record<string, string> = { "air.wind_speed": "Speed", "air.wind_from_deg": "From" };

export class Fly {
  readonly element: HTMLElement;
  private readonly vehicles = h("select", {
    "aria-label": "Vehicle",
    onchange: () => this.link.select(this.vehicles.selectedIndex),
  });
  private readonly vehicleRow = h("label", { class: "row" }, h("span", {}, "Vehicle"), this.vehicles);
  private readonly modes = h("div", { class: "segments", role: "group", "aria-label": "Control mode" });
  private readonly hint = h("p", { class: "note" });
  private readonly wind = h("div");
  private readonly windBlock = block("Wind", this.wind);
  private readonly channels = h("div", { class: "channels" });
  private readonly press = h("p", { class: "note" }, "Hold a channel to press it, with Shift to -1.");
  private readonly channelBlock = block("Channels", this.channels, this.press);
  private readonly obeyed: ObeyedChannels;
  private readonly padsRow: HTMLElement;
  private bars: { channel: number; fill: HTMLElement; value: HTMLElement }[] = [];
  /** Whose channels the bars are. */
  private listed = "";
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
    this.obeyed = new ObeyedChannels(link, sticks);
    this.padsRow = toggle("Sticks on the screen", padsShown, showPads);
    this.live = [
      block("Input", this.padsRow, gamepad.element),
      block("Boxes", boxes),
    ];
    this.element = h(
      "div",
      {},
      block("Control", this.vehicleRow, this.modes, this.hint),
      this.channelBlock,
      this.obeyed.element,
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
    this.obeyed.update(frame);
    const rows = frame.get("sticks");
    const first = STICK_CHANNELS * this.link.vehicle;
    this.bars.forEach(({ channel, fill, value }) => {
      const at = rows[first + channel] || 0; // a wheel that is left alone has no number
      const text = at.toFixed(2);
      if (value.textContent === text) return;
      value.textContent = text;
      const share = clamp(at); // a channel that was set by hand may be beyond where sticks end
      fill.style.transform = `translateX(${share < 0 ? 50 + 50 * share : 50}%) scaleX(${Math.abs(share) / 2})`;
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
    const known = hello?.parameters.filter(({ name }) => name in WIND) ?? [];
    this.winds = known.map(
      (one) => new Slider(one, (value) => this.link.send({ kind: "tune", name: one.name, value }), WIND[one.name]),
    );
    this.wind.replaceChildren(...this.winds.map((one) => one.element));
    const sticks = this.link.vehicleInfo?.stick_words.some(moves) ?? false;
    this.padsRow.hidden = !sticks;
    this.live[0]!.hidden = hello?.replay != null || !(sticks || this.link.vehicleInfo?.channels.flat().length);
    this.live[1]!.hidden = hello?.replay != null || !scene?.boxes;
    this.windBlock.hidden = !this.winds.length;
    this.showMode();
  }

  private showMode(): void {
    const { mode, vehicleInfo, hello } = this.link;
    this.listChannels(vehicleInfo?.channels[vehicleInfo.modes.indexOf(mode)] ?? [], vehicleInfo?.sticks ?? []);
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
          : `This vehicle cannot be steered by hand. ${this.about(mode)}`,
    );
  }

  /** A stick is shown, another channel is pressed with a pointer or with Enter. */
  private listChannels(heard: ChannelInfo[], sticks: number[]): void {
    const shows = this.link.hello?.replay != null; // a recording hears nothing
    const now = JSON.stringify([heard, sticks, shows]);
    if (now === this.listed) return;
    this.listed = now;
    this.channelBlock.hidden = !heard.length;
    this.press.hidden = shows || heard.every(({ channel }) => sticks.includes(channel));
    this.bars = heard.map(({ channel }) => ({ channel, fill: h("i"), value: h("output", {}, "0.00") }));
    this.channels.replaceChildren(
      ...heard.map(({ channel, name }, k) => {
        const { fill, value } = this.bars[k]!;
        const inside = [h("span", {}, name || String(channel)), h("span", { class: "bar" }, fill), value];
        if (shows || sticks.includes(channel)) return h("div", { class: "channel", title: `Channel ${channel}` }, ...inside);
        return h(
          "button",
          {
            type: "button",
            class: "channel",
            tabIndex: name && !name.startsWith("key ") ? 0 : -1, // twenty stops would lie between others
            title: `Channel ${channel}: hold to press it, with Shift to -1`,
            onpointerdown: (event) => this.hold(channel, (event as PointerEvent).shiftKey ? -1 : 1),
            onclick: (event) => (event as MouseEvent).detail === 0 && this.tap(channel),
          },
          ...inside,
        );
      }),
    );
  }

  private hold(channel: number, value: number): void {
    if (!this.sticks.mayTake()) return;
    this.sticks.held.set(channel, value);
    this.sticks.update();
    addEventListener("pointerup", () => this.sticks.held.delete(channel), { once: true });
  }

  /** From the keyboard: long enough for every controller to see it. */
  private tap(channel: number): void {
    if (!this.sticks.mayTake()) return;
    this.sticks.held.set(channel, 1);
    this.sticks.update();
    setTimeout(() => this.sticks.held.delete(channel), TAP);
  }
}
