// The choice of worlds: what ships, with pictures, and the user's own files and recordings.

import { h, iconButton, say } from "../dom";
import type { Link } from "../link";
import type { Gallery as Answer, GalleryEntry } from "../messages";

const TITLES: Record<string, string> = {
  flying: "Flying",
  driving: "Driving",
  space: "Space",
  wings: "Wings and birds",
  others: "Others",
  vehicles: "Vehicles alone",
  "your files": "Your files",
  recordings: "Recordings",
};
/** What is one's own comes first. */
const ORDER = ["your files", "recordings", "flying", "driving", "space", "wings", "others", "vehicles"];

export class Gallery {
  readonly element: HTMLDialogElement;
  private readonly search = h("input", {
    type: "search",
    placeholder: "Search",
    "aria-label": "Search the gallery",
    oninput: () => this.list(),
  });
  private readonly groups = h("div", { class: "gallery-groups" });
  private readonly note = h("p", { class: "note", role: "status" });
  private entries: GalleryEntry[] = [];
  private begun = false;

  constructor(private readonly link: Link) {
    this.element = h(
      "dialog",
      { class: "gallery", "aria-label": "Gallery" },
      h("header", {}, h("h1", {}, "Choose a scenario or a vehicle"), iconButton("close", "Close", () => this.element.close())),
      this.search,
      this.note,
      this.groups,
    );
    this.element.addEventListener("click", (event) => event.target === this.element && this.element.close());
    link.on("world", () => {
      if (!this.begun && link.hello?.gallery) void this.open();
      this.begun = true;
    });
  }

  async open(): Promise<void> {
    if (this.element.open) return;
    this.search.value = "";
    this.element.showModal();
    this.search.focus();
    say(this.note, "Looking for what there is…");
    const answer = await this.link.get("gallery.json", {}).catch(() => null);
    if (!answer?.ok) {
      say(this.note, "There is no gallery here: it belongs to `cupola fly`.");
      return;
    }
    this.entries = ((await answer.json()) as Answer).entries;
    this.list();
  }

  private list(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = ({ title, about, group }: GalleryEntry) => `${title} ${about} ${TITLES[group] ?? group}`.toLowerCase();
    const found = this.entries.filter((entry) => words.every((word) => text(entry).includes(word)));
    const groups = [...new Set(found.map(({ group }) => group))].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
    this.groups.replaceChildren(
      ...groups.map((group) =>
        h(
          "section",
          { "aria-label": TITLES[group] ?? group },
          h("h2", {}, TITLES[group] ?? group),
          h("div", { class: "cards" }, ...found.filter((one) => one.group === group).map((one) => this.card(one))),
        ),
      ),
    );
    say(this.note, found.length ? `${found.length} to choose from. Each waits until you say Go.` : "Nothing is called so.");
  }

  private card(entry: GalleryEntry): HTMLElement {
    const address = entry.picture && this.link.address(`gallery/${entry.picture}`);
    const picture = address
      ? h("img", { src: address, alt: "", loading: "lazy", width: 400, height: 240 })
      : h("span", { class: "no-picture", "aria-hidden": "true" }, entry.group === "recordings" ? "▶" : "◆");
    const current = this.link.hello?.scenario === entry.name;
    return h(
      "button",
      { type: "button", class: "card", "aria-current": current ? "true" : null, onclick: () => this.choose(entry) },
      picture,
      h("b", {}, entry.title),
      h("span", {}, entry.about === entry.title ? "" : entry.about),
    );
  }

  private choose(entry: GalleryEntry): void {
    if (!this.link.send({ kind: "load", scenario: entry.name })) return;
    this.element.close();
  }
}
