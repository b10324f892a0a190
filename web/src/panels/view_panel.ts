// What is shown and from where.

import { block, h, toggle } from "../dom";
import type { Link } from "../link";
import { type Pace, RATES } from "../pace";
import { offers, OVERLAYS, type Overlay } from "../world/overlays";
import { type View, VIEWS } from "../world/views";
import type { WorldView } from "../world/world_view";

const NAMES: Record<keyof typeof VIEWS, string> = {
  chase: "Chase",
  follow: "Follow",
  orbit: "Fixed",
  first: "First person",
  tower: "Tower",
  all: "All",
};

export class ViewPanel {
  readonly element: HTMLElement;
  private readonly views = h("div", { class: "segments wrap", role: "group", "aria-label": "View" });

  constructor(
    private readonly link: Link,
    private readonly world: WorldView,
    pace: Pace,
  ) {
    const layers = (Object.keys(OVERLAYS) as Overlay[]).map((one) =>
      toggle(OVERLAYS[one], world.wanted.has(one), (on) => world.show(one, on)),
    );
    const scale = h("input", {
      type: "range",
      min: -1,
      max: 1,
      step: 0.05,
      value: 0,
      "aria-label": "Length of force arrows",
      oninput: () => (world.forceScale = 10 ** Number(scale.value)),
    });
    const rates = h(
      "select",
      { "aria-label": "Pictures a second at most", onchange: () => (pace.most = Number(rates.value)) },
      h("option", { value: 0 }, "as they come"),
      ...RATES.map((rate) => h("option", { value: rate }, `at most ${rate}`)),
    );
    rates.value = String(pace.most);
    this.element = h(
      "div",
      {},
      block(
        "View",
        this.views,
        h(
          "p",
          { class: "note" },
          "Drag to turn, wheel to zoom, right button to move. Hold Shift and drag a body to push it.",
        ),
      ),
      block(
        "Show",
        h("div", { class: "toggles" }, ...layers),
        h("label", { class: "row" }, h("span", {}, "Force arrows"), scale),
      ),
      block(
        "Drawing",
        toggle("Vehicles", true, (on) => (world.solidsVisible = on)),
        toggle("Shadows", true, (on) => (world.stage.landscape.sun.castShadow = on)),
        toggle("Ground", true, (on) => (world.stage.landscape.showsGround = on)),
        toggle("Scenery", world.showsScenery, (on) => (world.showsScenery = on)),
        h("label", { class: "row" }, h("span", {}, "Pictures a second"), rates),
        h(
          "p",
          { class: "note" },
          "Grass without a texture of the model, runway, pad, trees and houses are drawn by this page alone: " +
            "nothing touches them, cameras and lasers do not see them.",
        ),
      ),
    );
    link.on("world", (scene) => {
      (Object.keys(OVERLAYS) as Overlay[]).forEach((one, k) => (layers[k]!.hidden = !offers(scene, one)));
      this.list();
    });
  }

  /** The next view; key V. */
  next(): void {
    const all = this.all();
    this.choose(all[(all.indexOf(this.world.views.view) + 1) % all.length]!);
  }

  private all(): View[] {
    return [
      ...(Object.keys(VIEWS) as (keyof typeof VIEWS)[]),
      ...(this.link.scene?.cameras ?? []).map((_, k): View => `camera ${k}`),
    ];
  }

  private choose(view: View): void {
    this.world.views.set(view);
    this.list();
  }

  private list(): void {
    const name = (view: View) =>
      view in NAMES
        ? NAMES[view as keyof typeof NAMES]
        : (this.link.scene?.cameras[Number(view.slice(7))]?.name ?? view);
    if (!this.all().includes(this.world.views.view)) this.world.views.set("chase");
    this.views.replaceChildren(
      ...this.all().map((view) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(view === this.world.views.view),
            title: view in VIEWS ? VIEWS[view as keyof typeof VIEWS] : "On board",
            onclick: () => this.choose(view),
          },
          name(view),
        ),
      ),
    );
  }
}
