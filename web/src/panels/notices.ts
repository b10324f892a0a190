// Short messages that go away by themselves.

import { h, iconButton } from "../dom";
import type { Notice } from "../messages";

/** [ms] a notice stays, and more for each letter; not while the pointer is on it. */
const STAYS = { info: 4000, warning: 7000, error: 14000 };
const PER_LETTER = 50;
const MOST = 4;

export class Notices {
  readonly element = h("div", { class: "notices", role: "status", "aria-live": "polite" });

  show({ level, text }: Pick<Notice, "level" | "text">, action?: [string, () => void]): void {
    const same = [...this.element.children].find((one) => one.getAttribute("data-text") === text);
    same?.remove();
    const card = h("div", { class: `notice ${level}`, "data-text": text }, h("p", { title: text }, ...words(text)));
    if (action) {
      const [label, act] = action;
      const onclick = () => {
        act();
        card.remove();
      };
      card.append(h("button", { type: "button", class: "button small", onclick }, label));
    }
    card.append(iconButton("close", "Dismiss", () => card.remove()));
    this.element.append(card);
    const { element } = this;
    const full = () => element.children.length > MOST || element.scrollHeight > element.clientHeight;
    while (element.children.length > 1 && full()) element.firstElementChild?.remove();
    const leave = () => (card.matches(":hover") ? setTimeout(leave, 1000) : card.remove());
    setTimeout(leave, STAYS[level] + PER_LETTER * text.length);
  }
}

/** A sentence; the name of a file at its beginning stays as it is written. */
export function sentence(text: string): string {
  return /^[a-z]+(?=[\s:,]|$)/.test(text) ? text.slice(0, 1).toUpperCase() + text.slice(1) : text;
}

/** What stands between backquotes can be typed or copied. */
function words(text: string): (Node | string)[] {
  return sentence(text).split("`").map((part, k) => (k % 2 ? h("code", {}, part) : part));
}
