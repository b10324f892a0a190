// What cameras and laser scanners see, as small panels over the view.

import { h, iconButton } from "../dom";
import type { Frame, Picture } from "../frame";
import type { Link } from "../link";
import { recall, remember } from "../remembered";

const SIZE = 160;
const EVERY = 100;
const STORE = "cupola.pictures.closed";

export class Pictures {
  readonly element = h("div", { class: "pictures" });
  private readonly images = new Map<number, HTMLImageElement>();
  private readonly scans: { canvas: HTMLCanvasElement; first: number; laser: number }[] = [];
  private drawnAt = 0;

  constructor(private readonly link: Link) {
    link.on("world", () => this.rebuild());
    link.on("connection", (on) => on && this.watch());
    link.on("picture", (picture) => this.show(picture));
  }

  update(frame: Frame): void {
    const now = performance.now();
    if (!this.scans.length || now - this.drawnAt < EVERY) return;
    this.drawnAt = now;
    for (const { canvas, first, laser } of this.scans) this.drawScan(canvas, frame.get("lasers"), first, laser);
  }

  private rebuild(): void {
    const { scene } = this.link;
    this.images.clear();
    this.scans.length = 0;
    this.element.replaceChildren();
    scene?.cameras.forEach((camera, k) => {
      if (!camera.part || this.closed(camera.name) || this.link.isFile) return;
      const image = h("img", { alt: `Picture of ${camera.name}`, width: SIZE });
      this.images.set(k, image);
      this.card(camera.name, image, () => {
        this.images.delete(k);
        this.watch();
      });
    });
    let first = 0;
    scene?.lasers.forEach((laser, k) => {
      if (!this.closed(laser.name)) {
        const canvas = h("canvas", {
          width: 2 * SIZE,
          height: 2 * SIZE,
          role: "img",
          "aria-label": `Scan of ${laser.name}`,
        });
        this.scans.push({ canvas, first, laser: k });
        this.card(laser.name, canvas, () =>
          this.scans.splice(
            this.scans.findIndex((scan) => scan.canvas === canvas),
            1,
          ),
        );
      }
      first += laser.count;
    });
    if (this.link.connected) this.watch();
  }

  private card(name: string, content: HTMLElement, closing: () => void): void {
    const close = iconButton("close", `Close ${name}`, () => {
      closing();
      card.remove();
      remember(STORE, JSON.stringify([...this.closedNames(), name]), "sessionStorage");
    });
    const single = this.link.scene?.vehicles.length === 1;
    const title = h("span", { title: name }, single ? name.replace(/^[^./]*[./]/, "") : name);
    const card = h("figure", { class: "picture" }, h("figcaption", {}, title, close), content);
    this.element.append(card);
  }

  private watch(): void {
    if (this.link.scene?.cameras.some((camera) => camera.part))
      this.link.send({ kind: "watch", cameras: [...this.images.keys()] });
  }

  private show({ camera, jpeg }: Picture): void {
    const image = this.images.get(camera);
    if (!image) return;
    const address = URL.createObjectURL(jpeg);
    image.onload = image.onerror = () => URL.revokeObjectURL(address);
    image.src = address;
  }

  /** Seen from above, ahead is up. */
  private drawScan(canvas: HTMLCanvasElement, ranges: Float64Array, first: number, index: number): void {
    const laser = this.link.scene!.lasers[index]!;
    const pen = canvas.getContext("2d")!;
    const own = ranges.subarray(first, first + laser.count);
    let far = 1;
    for (const range of own) if (Number.isFinite(range)) far = Math.max(far, range);
    const half = SIZE;
    const scale = (0.92 * half) / far;
    pen.clearRect(0, 0, 2 * half, 2 * half);
    pen.strokeStyle = "rgba(148, 163, 184, 0.5)";
    for (const share of [0.25, 0.5, 0.75, 1]) {
      pen.beginPath();
      pen.arc(half, half, 0.92 * half * share, 0, 2 * Math.PI);
      pen.stroke();
    }
    pen.fillStyle = "#f43f5e";
    own.forEach((range, k) => {
      if (!Number.isFinite(range)) return;
      const angle = laser.angle_min + k * laser.angle_step;
      pen.fillRect(half - scale * range * Math.sin(angle) - 2, half - scale * range * Math.cos(angle) - 2, 4, 4);
    });
    pen.fillStyle = "#94a3b8";
    pen.font = "22px system-ui, sans-serif";
    pen.fillText(
      own.some(Number.isFinite) ? `${far.toFixed(far < 10 ? 1 : 0)} m` : "nothing in reach",
      8,
      2 * half - 10,
    );
  }

  private closedNames(): string[] {
    return JSON.parse(recall(STORE, "sessionStorage") ?? "[]") as string[];
  }

  private closed(name: string): boolean {
    return this.closedNames().includes(name);
  }
}
