// A flight to take along: one file that opens in any browser.

import type { Address } from "../address";
import { block, h, icon, say } from "../dom";
import type { Link } from "../link";
import { figureName, save } from "../save";

const WHY =
  "The flight until now, its curves and this view in one file that opens in any browser, without a server. The address of this page keeps the view, too.";

export class Sharing {
  readonly element: HTMLElement;
  private readonly button = h(
    "button",
    { type: "button", class: "button", onclick: () => void this.share() },
    icon("download"),
    "Share as one file",
  );
  private readonly note = h("p", { class: "note", role: "status" }, WHY);

  constructor(
    private readonly link: Link,
    private readonly address: Address,
  ) {
    this.element = block("Share", this.button, this.note);
    this.element.hidden = link.isFile;
  }

  private async share(): Promise<void> {
    this.button.disabled = true;
    say(this.note, "Packing the flight…");
    const answer = await this.link.get("flight.html", { view: this.address.text }).catch(() => null);
    if (answer?.ok) {
      const file = await answer.blob();
      save(file, `${figureName(this.link.hello?.scenario ?? "", [])}.html`);
      say(this.note, `Saved, ${(file.size / 1e6).toFixed(1)} MB. What is thinned in it stands in its tabs Plots and Run.`);
    } else say(this.note, "The simulation did not hand the flight over.");
    this.button.disabled = false;
  }
}
