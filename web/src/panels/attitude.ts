// An attitude indicator: horizon, pitch ladder, bank scale, heading.

import { say, svg } from "../dom";

const DEGREE = 180 / Math.PI;
/** Units of the drawing per degree of pitch. */
const PER_DEGREE = 1.3;

export class Attitude {
  readonly element: SVGSVGElement;
  private readonly horizon: SVGGElement;
  private readonly bank: SVGGElement;
  private readonly heading: SVGTextElement;

  constructor() {
    const clip = svg("clipPath", { id: "attitude-face" }, svg("circle", { r: 46 }));
    this.horizon = svg(
      "g",
      {},
      svg("rect", { x: -150, y: -300, width: 300, height: 300, class: "sky" }),
      svg("rect", { x: -150, y: 0, width: 300, height: 300, class: "earth" }),
      ...ladder(),
    );
    this.bank = svg("g", {}, ...bankScale());
    this.heading = svg("text", { y: 40, class: "heading" });
    this.element = svg(
      "svg",
      { viewBox: "-50 -50 100 100", class: "attitude", role: "img", "aria-label": "Attitude" },
      clip,
      svg("g", { "clip-path": "url(#attitude-face)" }, this.horizon, this.bank),
      svg("circle", { r: 46, class: "rim" }),
      svg("path", { d: "M0-44l-3.500 6h7z", class: "pointer" }),
      svg("path", { d: "M-24 0h14l4 5M24 0h-14l-4 5", class: "wings" }),
      svg("circle", { r: 1.6, class: "dot" }),
      svg("rect", { x: -13, y: 31, width: 26, height: 12, rx: 3, class: "plate" }),
      this.heading,
    );
  }

  /** Quaternion of the body (front left up) in the world (east north up). */
  show(w: number, x: number, y: number, z: number): void {
    const { roll, pitch, yaw } = angles(w, x, y, z);
    const turn = (-roll * DEGREE).toFixed(1);
    this.horizon.setAttribute("transform", `rotate(${turn}) translate(0 ${(pitch * DEGREE * PER_DEGREE).toFixed(1)})`);
    this.bank.setAttribute("transform", `rotate(${turn})`);
    say(this.heading, compass(yaw));
  }
}

/** [rad]: right wing down, nose up and counter-clockwise from east are positive. */
export function angles(w: number, x: number, y: number, z: number): { roll: number; pitch: number; yaw: number } {
  return {
    roll: Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    pitch: -Math.asin(Math.max(-1, Math.min(1, 2 * (w * y - z * x)))),
    yaw: Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  };
}

/** Clockwise from north, as compasses show it. */
export function compass(yaw: number): string {
  return `${String(Math.round((450 - yaw * DEGREE) % 360) % 360).padStart(3, "0")}°`;
}

function ladder(): SVGElement[] {
  const lines: SVGElement[] = [svg("path", { d: "M-150 0h300", class: "level" })];
  for (let degrees = -80; degrees <= 80; degrees += 10) {
    if (degrees === 0) continue;
    const half = degrees % 20 ? 6 : 11;
    const y = -degrees * PER_DEGREE;
    lines.push(svg("path", { d: `M${-half} ${y}h${2 * half}`, class: "rung" }));
    if (degrees % 20 === 0)
      lines.push(svg("text", { x: half + 5, y: y + 2, class: "degrees" }, String(Math.abs(degrees))));
  }
  return lines;
}

function bankScale(): SVGElement[] {
  return [-60, -45, -30, -20, -10, 0, 10, 20, 30, 45, 60].map((degrees) =>
    svg("path", { d: `M0-46v${degrees % 30 ? 4 : 6}`, transform: `rotate(${degrees})`, class: "rung" }),
  );
}
