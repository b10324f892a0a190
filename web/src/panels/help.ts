// The card with the keys.

import { h, iconButton } from "../dom";

const KEYS: [string, [string, string][]][] = [
  [
    "Fly",
    [
      ["↑ ↓ ← →", "forward, back, left, right"],
      ["W S", "up, down"],
      ["A D", "turn left, right"],
      ["Shift", "gently"],
      ["Space", "emergency stop: motors off"],
    ],
  ],
  [
    "Run",
    [
      ["P", "pause, go on"],
      ["O", "single step"],
      ["R", "start over"],
      ["B N", "drop a box, remove the boxes"],
      ["M", "back to the mission"],
    ],
  ],
  [
    "See",
    [
      ["V", "next view"],
      ["drag, wheel", "turn the view, zoom"],
      ["Shift + drag", "push a body"],
      ["double click", "choose a vehicle"],
      ["1 … 7", "open a tab"],
      ["`", "side panel"],
      ["H ?", "this card"],
    ],
  ],
];

export class Help {
  readonly element: HTMLDialogElement;

  constructor() {
    const part = ([title, rows]: (typeof KEYS)[number]) =>
      h(
        "section",
        {},
        h("h2", {}, title),
        h(
          "dl",
          {},
          ...rows.flatMap(([keys, words]) => [
            h(
              "dt",
              {},
              ...keys
                .split(" ")
                .map((key) => h(key.length < 8 && !/[…+,]|^[a-z]{2}/.test(key) ? "kbd" : "span", {}, key)),
            ),
            h("dd", {}, words),
          ]),
        ),
      );
    this.element = h(
      "dialog",
      { class: "help", "aria-label": "Help" },
      h(
        "header",
        {},
        h("h1", {}, "Keys"),
        iconButton("close", "Close", () => this.element.close()),
      ),
      h("div", { class: "help-parts" }, ...KEYS.map(part)),
      h(
        "p",
        { class: "note" },
        "Press any movement key and you fly: keys command velocity, and letting go holds the place. A gamepad works as soon as you move a stick; its map is in the tab Fly. A base on wheels has a tab Manual with keys of its own. When the window loses the focus, or the connection breaks, the sticks go to neutral. Buttons answer to Enter; Space always stops the motors.",
      ),
    );
    this.element.addEventListener("click", (event) => event.target === this.element && this.element.close());
  }

  toggle(): void {
    if (this.element.open) this.element.close();
    else this.element.showModal();
  }
}
