// The card with the keys.

import { h, iconButton } from "../dom";
import { padWords } from "../input/pads";
import type { Link } from "../link";

type Row = [string, string];

const KEYS: [string, Row[]][] = [
  [
    "Any vehicle",
    [
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
      ["Shift + Alt + drag", "turn a body"],
      ["double click", "choose a vehicle"],
      ["1 … 9 0", "open a tab"],
      ["`", "side panel"],
      ["H ?", "this card"],
    ],
  ],
];

/** A recording is played and paused by the space bar, too. */
function withSpace([title, rows]: [string, Row[]]): [string, Row[]] {
  return [title, rows.map(([keys, words]) => (keys === "P" ? ["Space P", words] : [keys, words]))];
}

/** A heading and its keys. */
function rowsOf([title, rows]: [string, Row[]]): HTMLElement[] {
  const mark = (key: string) => h(key.length < 8 && !/[…+,]|^[a-z]{2}/.test(key) ? "kbd" : "span", {}, key);
  const list = rows.flatMap(([keys, words]) => [h("dt", {}, ...keys.split(" ").map(mark)), h("dd", {}, words)]);
  return [h("h2", {}, title), h("dl", {}, ...list)];
}

/** Of what flies. */
const LIVE = ["Shift", "Space", "R", "B N", "M", "Shift + drag", "Shift + Alt + drag"];
const SIGNS: Record<string, string> = { up: "↑", down: "↓", left: "←", right: "→" };

export class Help {
  readonly element: HTMLDialogElement;
  /** Keys that the chosen vehicle has taken for itself. */
  private readonly own = h("section", { class: "own-keys", hidden: true });
  /** What keys and sticks do to the chosen vehicle. */
  private readonly moves = h("section", { class: "moves" });
  private readonly keys = h("div", { class: "all-keys" });
  private readonly note = h(
    "p",
    { class: "note" },
    "Press any movement key and you fly. A gamepad works as soon as you move a stick; its map is in the tab Fly. A base on wheels has a tab Manual with keys of its own. When the window loses the focus, or the connection breaks, the sticks go to neutral. Buttons answer to Enter; Space always stops the motors.",
  );

  constructor(private readonly link: Link) {
    this.element = h(
      "dialog",
      { class: "help", "aria-label": "Help" },
      h(
        "header",
        {},
        h("h1", {}, "Keys"),
        iconButton("close", "Close", () => this.element.close()),
      ),
      h("div", { class: "help-parts" }, this.moves, this.keys, this.own),
      this.note,
    );
    this.element.addEventListener("click", (event) => event.target === this.element && this.element.close());
  }

  toggle(): void {
    if (this.element.open) {
      this.element.close();
      return;
    }
    this.showMoves();
    this.showKeys();
    this.showOwn();
    this.element.showModal();
  }

  /** In the words of the controller that a hand would fly with. */
  private showMoves(): void {
    const { link } = this;
    const words = link.stickWords;
    const vehicle = link.vehicleInfo;
    this.moves.hidden = !words || link.hello?.replay != null;
    if (!words || !vehicle) return;
    const [left, right] = padWords(words, false).map(([up, to, down, from]) => [up, down, from, to]);
    const rows: Row[] = [
      ["↑ ↓ ← →", right!],
      ["W S", left!.slice(0, 2)],
      ["A D", left!.slice(2)],
    ]
      .filter(([, said]) => (said as string[]).some(Boolean))
      .map(([keys, said]) => [keys as string, (said as string[]).map((word) => word || "nothing").join(", ")]);
    const about = vehicle.mode_texts[vehicle.modes.indexOf(link.handMode)] ?? "";
    this.moves.replaceChildren(
      ...rowsOf([`Fly ${vehicle.name}`, rows]),
      h("p", { class: "note" }, about.replaceAll("`", "")),
    );
  }

  /** Those that do something in this world. */
  private showKeys(): void {
    const { scene, vehicleInfo } = this.link;
    const replay = this.link.hello?.replay != null;
    this.note.hidden = replay;
    const idle = replay ? LIVE : [scene?.boxes ? "" : "B N", vehicleInfo?.modes.includes("mission") ? "" : "M", this.link.stickWords ? "" : "Shift"];
    const shown = KEYS.map(([title, rows]): [string, Row[]] => [title, rows.filter(([keys]) => !idle.includes(keys))]);
    const parts = shown.filter(([, rows]) => rows.length);
    this.keys.replaceChildren(...parts.map((part) => h("section", {}, ...rowsOf(replay ? withSpace(part) : part))));
  }

  private showOwn(): void {
    const { link } = this;
    const vehicle = link.vehicleInfo;
    const names = (vehicle?.keys ?? []).map((key) => key.name);
    this.own.hidden = !names.length || !vehicle || Boolean(link.hello?.replay);
    if (this.own.hidden || !vehicle) return;
    const words = vehicle.mode_texts[vehicle.modes.indexOf(link.mode)] ?? "";
    this.own.replaceChildren(
      h("h2", {}, `Keys of ${vehicle.name}`),
      h("p", {}, ...names.flatMap((name) => [h("kbd", {}, SIGNS[name] ?? name.toUpperCase()), " "])),
      h("p", {}, `${words} These keys do nothing else while ${vehicle.name} is chosen; click a tab to open it.`),
    );
  }
}
