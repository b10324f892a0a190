// Short messages that go away by themselves.

import { h, iconButton } from "../dom";
import type { Notice } from "../messages";

const STAYS = { info: 5000, warning: 8000, error: 15000 };
const MOST = 4;

export class Notices {
  readonly element = h("div", { class: "notices", role: "status", "aria-live": "polite" });

  show({ level, text }: Pick<Notice, "level" | "text">, action?: [string, () => void]): void {
    const same = [...this.element.children].find((one) => one.getAttribute("data-text") === text);
    same?.remove();
    const card = h("div", { class: `notice ${level}`, "data-text": text }, h("p", {}, text));
    if (action)
      card.append(
        h("button", { type: "button", class: "button small", onclick: () => (action[1](), card.remove()) }, action[0]),
      );
    card.append(iconButton("close", "Dismiss", () => card.remove()));
    this.element.append(card);
    while (this.element.children.length > MOST) this.element.firstElementChild?.remove();
    setTimeout(() => card.remove(), STAYS[level]);
  }
}
