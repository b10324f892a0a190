// One column of tabs: a list of tabs, the tab that is open, and an edge with which its width is changed.

import { h } from "../dom";

export interface Tab {
  name: string;
  element: HTMLElement;
  /** Called when it comes into sight. */
  shown?: () => void;
  /** Not every world has it: hidden until it is offered. */
  optional?: boolean;
}

const NARROWEST = 260;
const WIDEST = 900;
/** [px] that an arrow key moves the edge. */
const STEP = 20;

export class Dock {
  readonly element: HTMLElement;
  private readonly list: HTMLElement;
  private readonly edge: HTMLElement;
  /** Of the open tab. */
  active: Tab | null = null;
  width: number | null = null;

  /** `resized` is told of a width that the user has chosen. */
  constructor(
    kind: "side-panel" | "beside-panel",
    label: string,
    readonly tools: HTMLButtonElement[],
    private readonly resized: () => void,
  ) {
    this.list = h("div", { role: "tablist", "aria-label": label });
    this.edge = h("div", {
      class: "edge",
      role: "separator",
      tabindex: 0,
      title: "Width: drag, or arrow keys",
      "aria-label": `Width of the ${label.toLowerCase()}`,
      "aria-orientation": "vertical",
      "aria-valuemin": NARROWEST,
      "aria-valuemax": WIDEST,
      onpointerdown: (event) => this.drag(event as PointerEvent),
      onkeydown: (event) => this.press(event as KeyboardEvent),
    });
    this.element = h(
      "aside",
      { class: kind, "aria-label": label },
      this.edge,
      h("div", { class: "tabs" }, this.list, ...tools),
    );
  }

  /** Show these tabs, and their buttons in the list. */
  fill(tabs: Tab[], buttons: HTMLButtonElement[]): void {
    this.list.replaceChildren(...buttons);
    for (const { element } of tabs) if (element.parentElement !== this.element) this.element.append(element);
  }

  /** A width in pixels; null: that of the style. */
  resize(width: number | null): void {
    this.width = width === null ? null : Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
    if (this.width === null) this.element.style.removeProperty("--panel");
    else this.element.style.setProperty("--panel", `${this.width}px`);
    this.edge.setAttribute("aria-valuenow", String(this.width ?? this.element.offsetWidth));
  }

  private press(event: KeyboardEvent): void {
    const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    this.resize(this.element.offsetWidth + step);
    this.resized();
  }

  private drag(event: PointerEvent): void {
    event.preventDefault();
    const [from, width] = [event.clientX, this.element.offsetWidth];
    this.edge.setPointerCapture(event.pointerId);
    const move = ({ clientX }: PointerEvent) => this.resize(width + from - clientX);
    const end = () => {
      this.edge.removeEventListener("pointermove", move);
      this.resized();
    };
    this.edge.addEventListener("pointermove", move);
    this.edge.addEventListener("lostpointercapture", end, { once: true });
  }
}
