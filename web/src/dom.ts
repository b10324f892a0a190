// Making elements in one expression, and what all panels build of them.

type Child = Node | string | null | false;
type Handler = (event: Event) => void;
type Attribute = string | number | boolean | null | undefined | Handler;

/** An element with attributes (`onclick` and the like are listeners) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Attribute> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== false));
  return element;
}

const ICONS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z",
  step: "M5 5v14l9-7zM16 5h3v14h-3z",
  reset: "M12 5a7 7 0 1 1-6.7 5h2.2A4.9 4.9 0 1 0 12 7.1V10L7.5 6 12 2z",
  camera: "M4 7h4l1.5-2h5L16 7h4v12H4zM12 9.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
  restore: "M12 4a8 8 0 1 1-8 8h2.2A5.8 5.8 0 1 0 8 7.9l2 2.1H4V4l2.4 2.3A8 8 0 0 1 12 4zm-1 4h2v4l3 2-1 1.6-4-2.6z",
  record: "M12 6a6 6 0 1 1 0 12 6 6 0 0 1 0-12z",
  close: "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12l5.6 5.6-1.4 1.4-5.6-5.6L6.4 19 5 17.6 10.6 12 5 6.4z",
  panel: "M4 5h16v14H4zm2 2v10h7V7zm9 0v10h3V7z",
  beside: "M4 5h16v14H4zm2 2v10h5V7zm7 0v10h5V7z",
  help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zm0 2a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm-1 10h2v2h-2zm1-8a3.2 3.2 0 0 1 1.6 6c-.5.3-.6.5-.6 1h-2c0-1.400.4-2 1.400-2.6A1.200 1.200 0 1 0 10.800 10h-2A3.200 3.200 0 0 1 12 7z",
  vector: "M4 18 9 8l5 6 4-9 1.800.800L14.500 18 9.400 11.800 5.800 19z",
  plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z",
  download: "M11 4h2v8l3-3 1.400 1.400L12 15.800 6.600 10.400 8 9l3 3zM5 18h14v2H5z",
  grid: "M4 5h7v6H4zM13 5h7v6h-7zM4 13h7v6H4zM13 13h7v6h-7z",
  undo: "M8 5v3h6a5 5 0 0 1 0 10H8v-2h6a3 3 0 0 0 0-6H8v3L3.500 9z",
  pad: "M8 7h8a5 5 0 0 1 4.800 6.500l-1 3.500a2 2 0 0 1-3.500.700L14.500 15h-5l-1.800 2.700a2 2 0 0 1-3.500-.700l-1-3.500A5 5 0 0 1 8 7zm0 2.500v1.500H6.500v1.500H8V14h1.500v-1.500H11V11H9.500V9.500zm7.500.500a1 1 0 1 0 0 2 1 1 0 0 0 0-2z",
} as const;
export type Icon = keyof typeof ICONS;

export function icon(name: Icon): SVGSVGElement {
  return svg(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    svg("path", { d: ICONS[name], "fill-rule": "evenodd" }),
  );
}

/** An SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number> = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

export function iconButton(name: Icon, label: string, onclick: Handler): HTMLButtonElement {
  return h("button", { class: "icon-button", type: "button", "aria-label": label, title: label, onclick }, icon(name));
}

/** A titled part of a panel. */
export function block(title: string, ...children: Child[]): HTMLElement {
  return h("section", { class: "block" }, h("h2", {}, title), ...children);
}

/** A switch with its words. */
export function toggle(label: string, on: boolean, change: (on: boolean) => void): HTMLLabelElement {
  const box = h("input", { type: "checkbox", class: "switch", checked: on, onchange: () => change(box.checked) });
  return h("label", { class: "toggle" }, h("span", {}, label), box);
}

/** Sets text only when it differs: writing the same still costs a layout. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Below this a number is what rounding left of 0. */
const ROUNDING = 1e-9;
/** Digits that are asked for where numbers need not be told axisWords, and of a double. */
const USUAL = 6;
const MOST_DIGITS = 15;

/** A number with as many digits as people read. */
export function digits(value: number, count = 4): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size < ROUNDING) return "0";
  if (size >= 1e6 || size < 1e-4) return value.toExponential(count > USUAL ? count - 1 : 2);
  return String(Number(value.toPrecision(count)));
}

/** Numbers along an axis: with as many digits as it takes to tell them apart. */
export function axisWords(values: number[], count = 4): string[] {
  const words = values.map((value) => digits(value, count));
  return new Set(words).size === values.length || count >= MOST_DIGITS ? words : axisWords(values, count + 1);
}

/** A number with three decimals, without a sign when it is zero. */
export function fixed(value: number): string {
  const text = value.toFixed(3);
  return Number(text) === 0 ? "0.000" : text;
}
