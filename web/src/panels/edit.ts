// The editor: the text of the scenario or of a vehicle that flies, checked as one types, flown, and saved as a new file.

import { h, say } from "../dom";
import type { Link } from "../link";
import { type Checked, type FromPage, LONGEST_TEXT, type Sheet, type TextProblem } from "../messages";
import type { Schema } from "../schema_words";
import type { CodeEditor } from "./code_editor";

/** [ms] without an edit after which the text is checked. */
const PAUSE = 400;
/** [bytes] of a message. */
const LONGEST = 60_000;
const SCENARIO = -1;
const HINT = "Ctrl-Space lists what may be written, Ctrl-Enter flies it. What was tuned is not in the text.";

type Question = Extract<FromPage, { kind: "open_text" | "check_text" | "fly_text" | "save_text" }>;

export class Edit {
  readonly element: HTMLElement;
  private readonly files = h("select", { "aria-label": "File to edit", onchange: () => this.choose() });
  private readonly host = h("div", { class: "editor" });
  private readonly status = h("p", { class: "note", role: "status" });
  private readonly problems = h("ul", { class: "problems", "aria-label": "What is wrong" });
  private readonly meaning = h("p", { class: "note meaning" }, HINT);
  private readonly name = h("input", { type: "text", "aria-label": "Name of the new file", maxlength: 60 });
  private readonly fly = h("button", { type: "button", class: "button primary", onclick: () => this.flyIt() }, "Fly it");
  private readonly back = h(
    "button",
    { type: "button", class: "button", title: "The text as it was opened", onclick: () => this.revert() },
    "Undo all",
  );
  private readonly keep = h("button", { type: "button", class: "button", onclick: () => this.save() }, "Save as new");
  private editor: CodeEditor | null = null;
  private readonly schemas = new Map<string, Promise<Schema>>();
  private sheet: Sheet | null = null;
  /** Edits of files that are not shown now. */
  private readonly left = new Map<number, string>();
  private version = 0;
  private timer = 0;
  /** The question that is being answered, and the one to ask then: the server takes one at a time. */
  private asked: Question | null = null;
  private next: Question | null = null;
  /** The next world is the one that was asked for here; it may come before the answer or after it. */
  private awaitsWorld = false;
  private quiet = false;

  constructor(private readonly link: Link) {
    this.element = h(
      "div",
      { class: "edit" },
      h("div", { class: "edit-tools" }, this.files, this.back, this.fly),
      this.host,
      this.status,
      this.problems,
      this.meaning,
      h("div", { class: "edit-tools" }, this.name, this.keep),
    );
    link.on("sheet", (sheet) => void this.show(sheet));
    link.on("checked", (checked) => this.hear(checked));
    link.on("world", () => this.welcome());
    link.on("connection", (on) => {
      if (on) return;
      this.asked = this.next = null;
      this.awaitsWorld = false;
    });
  }

  /** It has come into sight, or another world while it was. */
  shown(): void {
    if (!this.sheet && this.link.connected) this.open(SCENARIO);
  }

  private get isChanged(): boolean {
    return this.editor !== null && this.sheet !== null && this.editor.text !== this.sheet.text;
  }

  private welcome(): void {
    if (this.awaitsWorld) {
      this.awaitsWorld = false;
      return; // what flies now is what stands here
    }
    if (this.isChanged && this.sheet?.files[0] === this.link.hello?.scenario) return;
    this.sheet = null;
    this.left.clear();
  }

  private open(file: number): void {
    say(this.status, "Reading…");
    this.ask({ kind: "open_text", file });
  }

  private choose(): void {
    if (this.isChanged) this.left.set(this.sheet!.file, this.editor!.text);
    this.open(Number(this.files.value));
  }

  private ask(question: Question): void {
    if (this.asked) {
      this.next = question;
      return;
    }
    if (!this.link.send(question)) {
      say(this.status, "The page that holds the sticks edits: take them first.");
      return;
    }
    this.asked = question;
    if (question.kind === "fly_text") this.awaitsWorld = true;
  }

  private answered(): void {
    const { next } = this;
    this.asked = this.next = null;
    if (next) this.ask(next);
  }

  private async show(sheet: Sheet): Promise<void> {
    const [schema, { CodeEditor }] = await Promise.all([this.schema(sheet.of), import("./code_editor")]);
    this.editor ??= new CodeEditor(
      this.host,
      () => this.edited(),
      (words) => say(this.meaning, words || HINT),
      () => this.flyIt(),
    );
    this.sheet = sheet;
    this.files.replaceChildren(
      ...sheet.files.map((name, k) => h("option", { value: k - 1 }, k ? `vehicle ${name}` : `scenario ${name}`)),
    );
    this.files.value = String(sheet.file);
    this.name.value = sheet.name;
    this.quiet = true;
    this.editor.show(sheet.text, schema);
    this.quiet = false;
    this.list([]);
    say(this.status, sheet.note);
    this.answered();
    const left = this.left.get(sheet.file);
    this.left.delete(sheet.file);
    if (left !== undefined) this.write(left);
  }

  private schema(of: string): Promise<Schema> {
    const known = this.schemas.get(of);
    if (known) return known;
    const asked = this.link.get("schema.json", { of }).then((answer) => answer.json() as Promise<Schema>);
    asked.catch(() => this.schemas.delete(of));
    this.schemas.set(of, asked);
    return asked;
  }

  private edited(): void {
    this.version += 1;
    if (this.quiet) return;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.check(), PAUSE);
  }

  private check(): void {
    if (this.asked && this.asked.kind !== "check_text") return; // its answer says what is wrong
    const text = this.textToSend();
    if (text !== null) this.ask({ kind: "check_text", file: this.sheet!.file, version: this.version, text });
  }

  private flyIt(): void {
    const text = this.textToSend();
    if (text === null) return;
    clearTimeout(this.timer);
    say(this.status, "Building the world…");
    this.ask({ kind: "fly_text", file: this.sheet!.file, version: this.version, text });
  }

  private save(): void {
    const text = this.textToSend();
    if (text === null) return;
    if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(this.name.value)) {
      say(this.status, "A name begins with a letter and has letters, digits, _ and - only.");
      return;
    }
    this.ask({ kind: "save_text", file: this.sheet!.file, version: this.version, name: this.name.value, text });
  }

  private revert(): void {
    if (this.sheet) this.write(this.sheet.text);
  }

  private write(text: string): void {
    const view = this.editor?.view;
    view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }

  /** The text, or null and why not. */
  private textToSend(): string | null {
    if (!this.editor || !this.sheet) return null;
    const { text } = this.editor;
    if (text.length <= LONGEST_TEXT && new TextEncoder().encode(JSON.stringify(text)).length <= LONGEST) return text;
    say(this.status, `The page edits ${LONGEST_TEXT} characters at most; this text has ${text.length}.`);
    return null;
  }

  private hear(checked: Checked): void {
    const { problems, act, done } = checked;
    if (act === "fly" && problems.length) this.awaitsWorld = false;
    if (this.sheet && checked.file === this.sheet.file) {
      // An older text was checked: the next answer is about this one.
      if (act !== "check" || checked.version === this.version) {
        this.list(problems);
        say(this.status, problems.length ? said(problems.length, act) : done);
        if (act === "fly" && !problems.length) this.sheet = { ...this.sheet, text: this.editor?.text ?? "" };
      } else this.next ??= this.later();
    } else if (problems[0]) say(this.status, problems[0].text);
    this.answered();
  }

  private later(): Question | null {
    const text = this.textToSend();
    return text === null ? null : { kind: "check_text", file: this.sheet!.file, version: this.version, text };
  }

  private list(problems: TextProblem[]): void {
    this.editor?.mark(problems);
    this.problems.replaceChildren(
      ...problems.map((one) =>
        h(
          "li",
          {},
          h("button", { type: "button", onclick: () => this.editor?.goTo(one) }, h("b", {}, `Line ${one.line}`), ` ${one.text}`),
        ),
      ),
    );
    this.problems.hidden = !problems.length;
  }
}

function said(count: number, act: Checked["act"]): string {
  const what = count === 1 ? "One thing is wrong" : `${count} things are wrong`;
  return act === "fly" ? `${what}: the world flies on as it was.` : act === "save" ? `${what}: nothing was saved.` : `${what}.`;
}
