// The panel at the side, or at the bottom of a phone: one tab at a time, and a second column for tabs that are put beside
// it. Which they are, and how wide the columns are, is remembered for each scenario.

import { h, iconButton } from "../dom";
import { recall, remember } from "../remembered";
import { Dock, type Tab } from "./dock";

export type { Tab } from "./dock";

const STORE = "cupola.panel";
const LAYOUT = "cupola.layout.";
const SMALL = "(max-width: 760px), (max-height: 480px)";
/** Where there is room for two columns. */
const WIDE = "(min-width: 1000px)";

interface Layout {
  /** Names of the tabs in the second column, and of the one that is open there. */
  beside: string[];
  open: string;
  widths: (number | null)[];
}

const PLAIN: Layout = { beside: [], open: "", widths: [null, null] };

export class SidePanel {
  readonly element: HTMLElement;
  /** The second column. */
  readonly second: HTMLElement;
  private readonly buttons: HTMLButtonElement[];
  private readonly main: Dock;
  private readonly beside: Dock;
  private readonly wide = matchMedia(WIDE);
  private layout: Layout = PLAIN;
  private scenario = "";
  /** The tab of the first column that was opened last: it is shown again as soon as a world offers it. */
  private chosen: Tab;
  private inSight: Tab[] = [];
  private readonly putBeside = iconButton("beside", "Put this tab beside the others", () => this.move(true));

  constructor(private readonly tabs: Tab[]) {
    this.buttons = tabs.map((tab, k) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${k}`,
          "aria-controls": `panel-${k}`,
          title: `${tab.name} (${(k + 1) % 10})`,
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
      element.tabIndex = 0; // a panel of text alone is scrolled by keys, too
      element.classList.add("tab");
    });
    const close = iconButton("close", "Close the panel (`)", () => this.toggle());
    const putBack = iconButton("undo", "Put this tab back", () => this.move(false));
    this.main = new Dock("side-panel", "Panel", [this.putBeside, close], () => this.keep());
    this.beside = new Dock("beside-panel", "Second panel", [putBack], () => this.keep());
    this.element = this.main.element;
    this.second = this.beside.element;
    this.wide.addEventListener("change", () => this.arrange());
    const kept = recall(STORE);
    this.chosen = tabs[Math.min(Number(kept ?? 0) || 0, tabs.length - 1)]!;
    this.arrange();
    if (kept === "closed" || (kept === null && matchMedia(SMALL).matches)) this.toggle();
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Whether a tab is in sight. */
  sees(element: HTMLElement): boolean {
    return this.isOpen && !element.hidden;
  }

  /** The columns as they were left in this scenario. */
  enter(scenario: string): void {
    if (scenario === this.scenario) return;
    this.scenario = scenario;
    this.layout = remembered(scenario);
    this.main.resize(this.layout.widths[0] ?? null);
    this.beside.resize(this.layout.widths[1] ?? null);
    this.arrange();
  }

  /** Show or hide optional tabs. */
  offer(wanted: Map<HTMLElement, boolean>): void {
    this.tabs.forEach((tab, k) => {
      const on = wanted.get(tab.element);
      if (on !== undefined) this.buttons[k]!.hidden = !on;
    });
    this.arrange();
  }

  open(index: number): void {
    const tab = this.tabs[index];
    if (!tab || (this.buttons[index]!.hidden && this.element.isConnected)) return;
    this.element.hidden = false;
    if (this.isBeside(tab)) this.keep({ open: tab.name });
    else {
      this.chosen = tab;
      remember(STORE, String(index));
    }
    this.arrange();
  }

  toggle(): void {
    this.element.hidden = !this.element.hidden;
    remember(STORE, this.isOpen ? String(this.tabs.indexOf(this.chosen)) : "closed");
    this.arrange();
  }

  /** The open tab of a column to the other one. */
  private move(aside: boolean): void {
    const tab = (aside ? this.main : this.beside).active;
    if (!tab) return;
    const { beside } = this.layout;
    if (aside) this.keep({ beside: [...beside, tab.name], open: tab.name });
    else {
      this.chosen = tab;
      this.keep({ beside: beside.filter((name) => name !== tab.name) });
    }
    this.arrange();
    // What was pressed may be gone: the tab that was moved has the focus.
    this.buttons[this.tabs.indexOf(tab)]!.focus();
  }

  private keep(changed: Partial<Layout> = {}): void {
    this.layout = { ...this.layout, widths: [this.main.width, this.beside.width], ...changed };
    remember(LAYOUT + this.scenario, JSON.stringify(this.layout));
  }

  private isBeside({ name }: Tab): boolean {
    return this.wide.matches && this.layout.beside.includes(name);
  }

  private isOffered(tab: Tab): boolean {
    return !this.buttons[this.tabs.indexOf(tab)]!.hidden;
  }

  /** Each tab into its column, and in each column one that is open. */
  private arrange(): void {
    const aside = this.tabs.filter((tab) => this.isBeside(tab));
    const here = this.tabs.filter((tab) => !aside.includes(tab));
    const buttons = (tabs: Tab[]) => tabs.map((tab) => this.buttons[this.tabs.indexOf(tab)]!);
    this.main.fill(here, buttons(here));
    this.beside.fill(aside, buttons(aside));
    const offered = aside.filter((tab) => this.isOffered(tab));
    const left = here.filter((tab) => this.isOffered(tab));
    this.main.active = among(this.chosen, this.element.isConnected ? left : here);
    this.beside.active = among(this.named(this.layout.open), offered);
    this.beside.element.hidden = !offered.length || !this.isOpen;
    this.putBeside.hidden = !this.wide.matches || left.length < 2;
    const shown = [this.main.active, this.beside.active];
    this.tabs.forEach((tab, k) => {
      tab.element.hidden = !shown.includes(tab);
      this.buttons[k]!.setAttribute("aria-selected", String(shown.includes(tab)));
    });
    const before = this.inSight;
    this.inSight = this.isOpen ? this.tabs.filter((tab) => shown.includes(tab)) : [];
    for (const tab of this.inSight) if (!before.includes(tab)) tab.shown?.();
  }

  private named(name: string): Tab | null {
    return this.tabs.find((tab) => tab.name === name) ?? null;
  }
}

function among(tab: Tab | null, tabs: Tab[]): Tab | null {
  return tab && tabs.includes(tab) ? tab : (tabs[0] ?? null);
}

function remembered(scenario: string): Layout {
  try {
    const kept = JSON.parse(recall(LAYOUT + scenario) ?? "null") as Partial<Layout> | null;
    const beside = Array.isArray(kept?.beside) ? kept.beside.filter((name) => typeof name === "string") : [];
    const widths = Array.isArray(kept?.widths) ? kept.widths.map((one) => (typeof one === "number" ? one : null)) : [];
    return { beside, open: kept?.open ?? "", widths };
  } catch {
    return PLAIN;
  }
}
