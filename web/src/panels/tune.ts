// Every number that can be changed while the world runs.

import { h, icon, say } from "../dom";
import type { Link } from "../link";
import { Slider } from "./slider";

/** Drawn at first; the rest of a long group comes when it is opened or searched for. */
const OPEN_UP_TO = 24;

export class Tune {
  readonly element: HTMLElement;
  private readonly search = h("input", {
    type: "search",
    placeholder: "Search parameters",
    "aria-label": "Search parameters",
    oninput: () => this.filter(),
  });
  private readonly count = h("span", { class: "note" });
  private readonly list = h("div", { class: "groups" });
  private readonly onlyChanged = h("input", {
    type: "checkbox",
    class: "switch",
    "aria-label": "Only changed ones",
    onchange: () => this.filter(),
  });
  private sliders: Slider[] = [];
  private sortedFor = "";
  private groups: { element: HTMLDetailsElement; sliders: Slider[] }[] = [];

  constructor(private readonly link: Link) {
    this.element = h(
      "div",
      {},
      h("div", { class: "tools sticky" }, this.search),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", class: "button", onclick: () => this.resetAll() }, icon("undo"), "Reset all"),
        h(
          "button",
          { type: "button", class: "button primary", onclick: () => link.send({ kind: "save_scenario" }) },
          icon("download"),
          "Save scenario",
        ),
      ),
      h(
        "label",
        { class: "toggle" },
        this.count,
        h("span", { class: "spring" }),
        h("span", {}, "Changed only"),
        this.onlyChanged,
      ),
      this.list,
    );
    link.on("world", () => this.rebuild());
    link.on("changed", () => this.flying !== this.sortedFor && this.rebuild());
    link.on("tuned", ({ name, value }) => {
      this.sliders.find((one) => one.name === name)?.show(value);
      this.tell();
    });
  }

  private rebuild(): void {
    const parameters = this.link.hello?.parameters ?? [];
    const byGroup = new Map<string, Slider[]>();
    for (const parameter of parameters) {
      const cut = parameter.name.lastIndexOf(".");
      const group = cut < 0 ? "world" : parameter.name.slice(0, cut);
      const slider = new Slider(
        parameter,
        (value) => this.send(parameter.name, value),
        parameter.name.slice(cut + 1).replaceAll("_", " "),
      );
      byGroup.set(group, [...(byGroup.get(group) ?? []), slider]);
    }
    this.sliders = [...byGroup.values()].flat();
    const single = this.sliders.length <= OPEN_UP_TO;
    const first = (this.sortedFor = this.flying);
    const ordered = [...byGroup].sort(([a], [b]) => Number(b === first) - Number(a === first));
    this.groups = ordered.map(([name, sliders], k) => {
      const summary = h("summary", {}, h("span", {}, name), h("span", { class: "badge" }, String(sliders.length)));
      return {
        element: h(
          "details",
          { class: "group", open: single || k === 0 },
          summary,
          ...sliders.map((one) => one.element),
        ),
        sliders,
      };
    });
    const nothing = h(
      "p",
      { class: "empty" },
      this.link.hello?.replay ? "A recording cannot be tuned." : "Nothing here can be tuned.",
    );
    this.list.replaceChildren(...(this.groups.length ? this.groups.map(({ element }) => element) : [nothing]));
    this.filter();
  }

  /** Where the gains of who flies now lie: of the mission beside the vehicle's parts, of another mode below its name. */
  private get flying(): string {
    const { vehicleInfo, mode } = this.link;
    return mode && mode !== "mission" ? `${vehicleInfo?.name}.${mode}` : (vehicleInfo?.name ?? "");
  }

  private send(name: string, value: number): boolean {
    if (!this.link.send({ kind: "tune", name, value })) return false;
    const known = this.link.hello?.parameters.find((parameter) => parameter.name === name);
    if (known) known.value = value;
    this.tell();
    return true;
  }

  private filter(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = ({ parameter, element }: Slider) =>
      words.every((word) => `${parameter.name} ${parameter.about} ${parameter.unit}`.toLowerCase().includes(word)) &&
      (!this.onlyChanged.checked || element.classList.contains("changed"));
    for (const { element, sliders } of this.groups) {
      for (const slider of sliders) slider.element.hidden = !wanted(slider);
      element.hidden = sliders.every((slider) => slider.element.hidden);
      if ((words.length || this.onlyChanged.checked) && !element.hidden) element.open = true;
    }
    this.tell();
  }

  private tell(): void {
    const shown = this.sliders.filter((slider) => !slider.element.hidden).length;
    const changed = this.sliders.filter((slider) => slider.element.classList.contains("changed")).length;
    say(this.count, this.sliders.length ? `${shown} of ${this.sliders.length} shown · ${changed} changed` : "");
  }

  private resetAll(): void {
    for (const slider of this.sliders) slider.reset();
  }
}
