// A number with a range: slider, field, unit, and back to the default.

import { digits, h, iconButton } from "../dom";
import type { ParameterInfo } from "../messages";
import { Scale, STEPS } from "./scale";

export class Slider {
  readonly element: HTMLElement;
  readonly name: string;
  value: number;
  private readonly range: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private readonly back: HTMLButtonElement;
  /** Said when a number that was typed lies beyond the range. */
  private readonly beyond = h("p", { class: "note beyond", role: "status", hidden: true });
  private readonly scale: Scale;

  /** `change` sends a new value; false when it may not. */
  constructor(
    readonly parameter: ParameterInfo,
    private readonly change: (value: number) => boolean,
    label = parameter.name,
  ) {
    this.name = parameter.name;
    this.value = parameter.value;
    this.scale = new Scale(parameter);
    const said = `${parameter.name}${parameter.unit && parameter.unit !== "1" ? ` in ${parameter.unit}` : ""}`;
    this.range = h("input", {
      type: "range",
      min: 0,
      max: STEPS,
      step: 1,
      "aria-label": said,
      oninput: () => this.set(this.scale.value(Number(this.range.value))),
    });
    this.field = h("input", {
      type: "text",
      inputmode: "decimal",
      class: "number",
      "aria-label": `${said}, exact value`,
      onchange: () => this.typed(),
      onkeydown: (event: Event) => (event as KeyboardEvent).key === "Enter" && this.field.blur(),
    });
    this.back = iconButton("undo", `Back to ${digits(parameter.default)}`, () => this.set(parameter.default));
    const unit = parameter.unit === "1" ? "" : parameter.unit;
    this.element = h(
      "div",
      { class: "slider" },
      h(
        "div",
        { class: "slider-head" },
        h("span", { class: "slider-name", title: parameter.name }, label),
        this.back,
        this.field,
        h("span", { class: "unit" }, unit),
      ),
      h(
        "div",
        { class: "slider-range" },
        h("small", {}, digits(this.scale.low)),
        this.range,
        h("small", {}, digits(this.scale.high)),
      ),
      this.beyond,
      parameter.about ? h("p", { class: "note" }, sentence(parameter.about)) : null,
    );
    this.show(parameter.value);
  }

  /** Draw a value that came from elsewhere. */
  show(value: number): void {
    this.value = value;
    this.range.value = String(this.scale.place(value));
    if (document.activeElement !== this.field) this.field.value = digits(value, 5);
    const changed = Math.abs(value - this.parameter.default) > 1e-9 * Math.max(1, Math.abs(value));
    this.back.style.visibility = changed ? "visible" : "hidden";
    this.element.classList.toggle("changed", changed);
    this.range.style.setProperty("--filled", `${Number(this.range.value) / (STEPS / 100)}%`);
  }

  /** It shows, and cannot be moved. */
  set disabled(off: boolean) {
    if (this.range.disabled === off) return;
    for (const one of [this.range, this.field, this.back]) one.disabled = off;
    this.element.classList.toggle("disabled", off);
  }

  reset(): void {
    if (this.value !== this.parameter.default) this.set(this.parameter.default);
  }

  private set(value: number): void {
    const { low, high } = this.parameter;
    const legal = Math.min(high, Math.max(low, value));
    this.beyond.hidden = legal === value;
    this.beyond.textContent = beyond(value, this.parameter);
    this.show(this.change(legal) ? legal : this.value);
  }

  private typed(): void {
    const value = Number(this.field.value.replace(",", "."));
    if (Number.isFinite(value) && this.field.value.trim()) this.set(value);
    else this.show(this.value);
  }
}

/** What is said of a value that was asked for and lies beyond the range; empty: it does not. */
export function beyond(value: number, { low, high, unit }: ParameterInfo): string {
  if (value >= low && value <= high) return "";
  const [end, is] = value > high ? [high, "most"] : [low, "least"];
  return `${digits(value, 5)} is beyond its range: ${digits(end, 5)}${unit === "1" ? "" : ` ${unit}`} is the ${is}.`;
}

/** Words of a docstring as people read them. */
function sentence(words: string): string {
  return words.replaceAll("`", "");
}
