// Vehicles beside the chosen one that are in trouble: each by its name, a click chooses it.

import { h } from "../dom";
import type { Link } from "../link";
import type { Condition } from "../messages";

/** Lines of them; more are counted. */
const MOST = 3;

export interface Trouble {
  vehicle: number;
  text: string;
}

/** Alarms of all but the chosen vehicle; none where the motors of all are off, which is said in large. */
export function troubles(names: string[], conditions: Condition[], chosen: number): Trouble[] {
  if (conditions.every(({ name }) => name === "motors off")) return [];
  return conditions.flatMap(({ alarm, text }, vehicle) => (alarm && vehicle !== chosen ? [{ vehicle, text: `${names[vehicle] ?? vehicle}: ${text}` }] : []));
}

export class Others {
  readonly element = h("div", { class: "others", role: "status", hidden: true });
  private said = "";

  constructor(private readonly link: Link) {
    for (const event of ["world", "vehicle", "changed"] as const) link.on(event, () => this.show());
  }

  private show(): void {
    const { link } = this;
    const names = link.scene?.vehicles.map(({ name }) => name) ?? [];
    const found = troubles(names, link.changed?.conditions ?? [], link.vehicle);
    const now = JSON.stringify(found);
    if (now === this.said) return;
    this.said = now;
    this.element.hidden = !found.length;
    const more = found.slice(MOST).map(({ text }) => text);
    this.element.replaceChildren(
      ...found.slice(0, MOST).map(({ vehicle, text }) =>
        h("button", { type: "button", title: `Show ${names[vehicle]}`, onclick: () => link.select(vehicle) }, text),
      ),
      ...(more.length ? [h("small", { title: more.join("\n") }, `and ${more.length} more`)] : []),
    );
  }
}
