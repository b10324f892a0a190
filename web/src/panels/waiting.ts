// What is said while there is nothing to see: no connection, or a world that still compiles.

import { h, say } from "../dom";
import type { Link } from "../link";

export class Waiting {
  readonly element: HTMLElement;
  private readonly what = h("b", {}, "Connecting to the simulation…");
  private readonly why = h("span", {}, "The sticks are at neutral.");

  constructor(private readonly link: Link) {
    this.element = h("div", { class: "waiting", role: "status" }, this.what, this.why);
    link.on("connection", () => this.show());
    link.on("world", () => this.show());
    link.on("frame", () => (this.element.hidden = link.connected));
  }

  private show(): void {
    const { connected, trouble } = this.link;
    this.element.hidden = false;
    say(this.what, connected ? "Preparing the simulation…" : "Connecting to the simulation…");
    say(
      this.why,
      connected ? "The first time it compiles for about a minute." : trouble || "The sticks are at neutral.",
    );
  }
}
