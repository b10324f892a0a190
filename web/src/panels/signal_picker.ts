// Choosing signals from a list that can be searched.

import { h, iconButton, say } from "../dom";
import type { Signal } from "../messages";

const MOST = 300;
const FUNCTIONS = "Computed from every row: + - * / ^, abs, sqrt, min, max, norm, derivative, number when condition.";

export class SignalPicker {
  readonly element: HTMLDialogElement;
  private readonly search = h("input", {
    type: "search",
    placeholder: "Search signals",
    "aria-label": "Search signals",
    oninput: () => this.list(),
  });
  private readonly rows = h("div", { class: "picker-rows" });
  private readonly count = h("p", { class: "note" });
  private chosen = new Set<string>();
  private readonly formula = h("input", {
    type: "text",
    placeholder: "norm(quadcopter.velocity)",
    "aria-label": "Expression on signals",
    maxlength: 1000,
  });
  private readonly wrong = h("p", { class: "note", role: "status" });
  private done: (names: string[]) => void = () => {};

  /** `check` says what is wrong with an expression; empty: nothing. */
  constructor(
    private readonly signals: () => Signal[],
    check: (formula: string) => Promise<string>,
  ) {
    const compute = async () => {
      const text = this.formula.value.trim();
      if (!text) return;
      const error = await check(text);
      say(this.wrong, error || FUNCTIONS);
      if (error) return;
      this.formula.value = "";
      this.chosen.add(`=${text}`);
      this.done([...this.chosen]);
      this.list();
    };
    this.element = h(
      "dialog",
      { class: "picker", "aria-label": "Signals" },
      h(
        "header",
        {},
        h("h1", {}, "Signals"),
        iconButton("close", "Close", () => this.element.close()),
      ),
      this.search,
      this.rows,
      h(
        "form",
        { class: "row", onsubmit: (event: Event) => (event.preventDefault(), void compute()) },
        this.formula,
        h("button", { type: "submit", class: "button" }, "Compute"),
      ),
      this.wrong,
      this.count,
    );
    this.element.addEventListener("click", (event) => event.target === this.element && this.element.close());
  }

  /** `done` is told of each change. */
  open(names: string[], done: (names: string[]) => void): void {
    this.chosen = new Set(names);
    this.done = done;
    this.search.value = "";
    say(this.wrong, FUNCTIONS);
    this.list();
    this.element.showModal();
    this.search.focus();
  }

  private list(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const computed = [...this.chosen].filter((name) => name.startsWith("=")).map((name) => ({ name, unit: "" }));
    const found = [...computed, ...this.signals()].filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
    found.sort((a, b) => Number(this.chosen.has(b.name)) - Number(this.chosen.has(a.name)));
    this.rows.replaceChildren(...found.slice(0, MOST).map((signal) => this.row(signal)));
    say(
      this.count,
      found.length > MOST ? `The first ${MOST} of ${found.length}: search for more.` : `${found.length} signals`,
    );
  }

  private row({ name, unit }: Signal): HTMLElement {
    const box = h("input", {
      type: "checkbox",
      checked: this.chosen.has(name),
      onchange: () => {
        if (box.checked) this.chosen.add(name);
        else this.chosen.delete(name);
        this.done([...this.chosen]);
      },
    });
    return h("label", { class: "picker-row" }, box, h("span", {}, name), h("small", {}, unit === "1" ? "" : unit));
  }
}
