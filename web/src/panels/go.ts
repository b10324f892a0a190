// A world at its start waits until somebody says Go.

import { h, say } from "../dom";
import type { Frame } from "../frame";
import type { Link } from "../link";

export class Go {
  readonly element: HTMLElement;
  private readonly about = h("p", {});
  private readonly button: HTMLButtonElement;

  constructor(private readonly link: Link) {
    this.button = h(
      "button",
      { type: "button", class: "button primary", title: "P", onclick: () => link.send({ kind: "pause", paused: false }) },
      "Go",
    );
    this.element = h("div", { class: "go", hidden: true }, this.about, this.button);
    link.on("world", () => say(this.about, link.hello?.about || link.hello?.scenario || ""));
  }

  update(frame: Frame): void {
    const { hello, connected } = this.link;
    // Where it has gone on before, the bar of the time is what is shown.
    const over = this.link.changed?.conditions.some(({ name }) => name === "stopped");
    const waits = !over && connected && hello?.replay === null && frame.clock("paused") > 0 && frame.clock("end") === 0;
    if (this.element.hidden === waits) this.element.hidden = !waits;
  }
}
