// The map of a gamepad: which axis is which stick, how far it goes, what the buttons do.

import { h, icon, iconButton, say } from "../dom";
import { Calibration } from "../input/calibration";
import { deflection, type Gamepads, type PadMap, type StickName, STICKS, usualMap } from "../input/gamepad";
import { STICK_CHANNELS } from "../messages";

const EVERY = 100;

export class GamepadPage {
  /** The line in the tab, with the button that opens the page. */
  readonly element: HTMLElement;
  readonly dialog: HTMLDialogElement;
  private readonly name = h("span", { class: "note" }, "No gamepad: press a button on it");
  private readonly rows = h("div", { class: "pad-rows" });
  private readonly ask = h("p", { class: "ask", role: "status" });
  private calibration: Calibration | null = null;
  private asked: string | null = null;
  private shownAt = 0;

  constructor(private readonly gamepads: Gamepads) {
    this.element = h(
      "div",
      { class: "row" },
      this.name,
      h("button", { type: "button", class: "button small", onclick: () => this.open() }, icon("pad"), "Map"),
    );
    this.dialog = h(
      "dialog",
      { class: "pad-page", "aria-label": "Gamepad" },
      h(
        "header",
        {},
        h("h1", {}, "Gamepad"),
        iconButton("close", "Close", () => this.dialog.close()),
      ),
      this.ask,
      this.rows,
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", class: "button primary", onclick: () => this.calibrate() }, "Calibrate"),
        h("button", { type: "button", class: "button", onclick: () => this.change(usualMap()) }, "Usual map"),
      ),
    );
    this.dialog.addEventListener("close", () => {
      this.calibration = null;
      this.gamepads.resting = false;
    });
  }

  update(): void {
    const now = performance.now();
    if (now - this.shownAt < EVERY) return;
    this.shownAt = now;
    const { device } = this.gamepads;
    say(this.name, device ? device.id.replace(/\s*\(.*\)/, "") : "No gamepad: press a button on it");
    if (!this.dialog.open) return;
    if (!device) {
      say(this.ask, "No gamepad is seen. Plug one in and press a button on it.");
      return;
    }
    this.learn(device);
    const { axes, dead_zone } = this.gamepads.mapping;
    this.rows.querySelectorAll<HTMLElement>("[data-stick]").forEach((bar) => {
      const map = axes[bar.dataset.stick as StickName];
      const at = deflection(device.axes[map.axis] ?? map.rest, map, dead_zone);
      bar.style.transform = `translateX(${at < 0 ? 50 + 50 * at : 50}%) scaleX(${Math.abs(at) / 2})`;
    });
    this.rows
      .querySelectorAll<HTMLElement>("[data-button]")
      .forEach((row) => row.classList.toggle("on", device.buttons[Number(row.dataset.button)]?.pressed ?? false));
  }

  private open(): void {
    this.gamepads.resting = true;
    this.list();
    this.dialog.showModal();
  }

  private change(map: PadMap): void {
    this.gamepads.mapping = map;
    this.list();
  }

  private calibrate(): void {
    const { device } = this.gamepads;
    if (!device) return;
    this.calibration = new Calibration([...device.axes], this.gamepads.mapping);
  }

  private learn(device: Gamepad): void {
    const asked = this.calibration?.see(device.axes) ?? null;
    say(this.ask, asked ?? device.id);
    if (!this.calibration || asked === this.asked) return;
    this.asked = asked;
    if (asked === null) this.calibration = null;
    this.change(this.gamepads.mapping);
  }

  private list(): void {
    const { device, mapping } = this.gamepads;
    const axes = STICKS.map((name) => {
      const map = mapping.axes[name];
      const choose = h(
        "select",
        {
          "aria-label": `Axis of ${name}`,
          onchange: () => {
            map.axis = Number(choose.value);
            this.change(mapping);
          },
        },
        h("option", { value: -1 }, "none"),
        ...Array.from({ length: device?.axes.length ?? 8 }, (_, k) => h("option", { value: k }, `axis ${k}`)),
      );
      choose.value = String(map.axis);
      const flip = h(
        "button",
        {
          type: "button",
          class: "button small",
          onclick: () => {
            [map.low, map.high] = [map.high, map.low];
            this.change(mapping);
          },
        },
        "Reverse",
      );
      return h(
        "div",
        { class: "pad-row" },
        h("span", {}, name),
        choose,
        h("span", { class: "bar" }, h("i", { "data-stick": name })),
        flip,
      );
    });
    const zone = h("input", {
      type: "range",
      min: 0,
      max: 0.3,
      step: 0.01,
      value: mapping.dead_zone,
      "aria-label": "Dead zone",
      oninput: () => ((mapping.dead_zone = Number(zone.value)), (this.gamepads.mapping = mapping)),
    });
    const buttons = Array.from({ length: Math.min(12, device?.buttons.length ?? 8) }, (_, k) =>
      this.button(k, mapping),
    );
    this.rows.replaceChildren(
      ...axes,
      h("label", { class: "row" }, h("span", {}, "Dead zone"), zone),
      h("h2", {}, "Buttons"),
      h("div", { class: "pad-buttons" }, ...buttons),
    );
  }

  private button(k: number, mapping: PadMap): HTMLElement {
    const choose = h(
      "select",
      {
        "aria-label": `Button ${k}`,
        onchange: () => {
          mapping.buttons[k] = choose.value === "stop" ? -1 : Number(choose.value);
          if (choose.value === "stop") mapping.emergency = k;
          else if (mapping.emergency === k) mapping.emergency = -1;
          this.change(mapping);
        },
      },
      h("option", { value: -1 }, "nothing"),
      h("option", { value: "stop" }, "emergency stop"),
      ...Array.from({ length: STICK_CHANNELS }, (_, c) => h("option", { value: c }, `channel ${c}`)),
    );
    choose.value = mapping.emergency === k ? "stop" : String(mapping.buttons[k] ?? -1);
    for (let j = 0; j <= k; j++) mapping.buttons[j] ??= -1;
    return h("label", { class: "row", "data-button": k }, h("span", {}, `Button ${k}`), choose);
  }
}
