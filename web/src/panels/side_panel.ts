// The panel at the side, or at the bottom of a phone: one tab at a time.

import { h, iconButton } from "../dom";
import { recall, remember } from "../remembered";

export interface Tab {
  name: string;
  element: HTMLElement;
  /** Called when it comes into sight. */
  shown?: () => void;
  /** Not every world has it: hidden until it is offered. */
  optional?: boolean;
}

const STORE = "cupola.panel";

export class SidePanel {
  readonly element: HTMLElement;
  private readonly buttons: HTMLButtonElement[];
  private active = 0;

  constructor(private readonly tabs: Tab[]) {
    this.buttons = tabs.map((tab, k) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${k}`,
          "aria-controls": `panel-${k}`,
          title: `${tab.name} (${k + 1})`,
          hidden: tab.optional,
          onclick: () => this.open(k),
        },
        tab.name,
      ),
    );
    tabs.forEach(({ element }, k) => {
      element.id = `panel-${k}`;
      element.setAttribute("role", "tabpanel");
      element.setAttribute("aria-labelledby", `tab-${k}`);
      element.classList.add("tab");
    });
    this.element = h(
      "aside",
      { class: "side-panel", "aria-label": "Panel" },
      h(
        "div",
        { class: "tabs" },
        h("div", { role: "tablist", "aria-label": "Panel" }, ...this.buttons),
        iconButton("close", "Close the panel (`)", () => this.toggle()),
      ),
      ...tabs.map(({ element }) => element),
    );
    const kept = recall(STORE);
    this.open(Math.min(Number(kept ?? 0) || 0, tabs.length - 1));
    if (kept === "closed" || (kept === null && matchMedia("(max-width: 760px), (max-height: 480px)").matches))
      this.toggle();
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Whether a tab is in sight. */
  sees(element: HTMLElement): boolean {
    return this.isOpen && this.tabs[this.active]?.element === element;
  }

  /** Show or hide an optional tab. */
  offer(element: HTMLElement, on: boolean): void {
    const index = this.tabs.findIndex((tab) => tab.element === element);
    this.buttons[index]!.hidden = !on;
    if (on || this.active !== index) return;
    const { isOpen } = this;
    this.open(0);
    if (!isOpen) this.toggle();
  }

  open(index: number): void {
    const tab = this.tabs[index];
    if (!tab || (this.buttons[index]!.hidden && this.element.isConnected)) return;
    this.active = index;
    this.element.hidden = false;
    this.tabs.forEach(({ element }, k) => (element.hidden = k !== index));
    this.buttons.forEach((button, k) => button.setAttribute("aria-selected", String(k === index)));
    remember(STORE, String(index));
    tab.shown?.();
  }

  toggle(): void {
    this.element.hidden = !this.element.hidden;
    remember(STORE, this.isOpen ? String(this.active) : "closed");
    if (this.isOpen) this.tabs[this.active]?.shown?.();
  }
}
