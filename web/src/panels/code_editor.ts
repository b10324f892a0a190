// The text of a file with line numbers, completion and errors at their lines. Loaded when somebody edits.

import {
  autocompletion,
  completionKeymap,
  completionStatus,
  type Completion,
  type CompletionContext,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { h } from "../dom";
import type { TextProblem } from "../messages";
import { SchemaWords, type Schema } from "../schema_words";
import { placeIn } from "../yaml_place";

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--muted)", fontStyle: "italic" },
]);
const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--surface)", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, Menlo, Consolas, monospace", lineHeight: "1.45" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--muted)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--raised)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionInfo, .cm-tooltip-hover": { maxWidth: "320px", padding: "4px 8px", fontSize: "12px" },
});

/** A list of words that is longer than its room can be scrolled by keys, too; it is drawn after the update. */
function letListScroll(): void {
  requestAnimationFrame(() => document.querySelector(".cm-tooltip-autocomplete > ul")?.setAttribute("tabindex", "0"));
}

export class CodeEditor {
  readonly view: EditorView;
  private words: SchemaWords | null = null;

  /** `changed` is told of each edit, `moved` of what the key at the cursor means, `fly` of Ctrl-Enter. */
  constructor(
    parent: HTMLElement,
    private readonly changed: () => void,
    private readonly moved: (words: string) => void,
    fly: () => void,
  ) {
    const run = () => {
      fly();
      return true;
    };
    const extensions = [
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightActiveLine(),
      history(),
      drawSelection(),
      bracketMatching(),
      indentUnit.of("  "),
      yaml(),
      syntaxHighlighting(COLOURS),
      LOOK,
      autocompletion({ override: [(context) => this.complete(context)], icons: false }),
      hoverTooltip((_, position) => this.hover(position)),
      lintGutter(),
      EditorView.lineWrapping,
      // Tab leaves the editor, as everywhere on the page; Ctrl-Space lists what may be written.
      keymap.of([
        { key: "Mod-Enter", run },
        ...completionKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        ...lintKeymap,
      ]),
      EditorView.contentAttributes.of({ "aria-label": "Text of the file", tabindex: "0" }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) this.changed();
        if (completionStatus(update.state) === "active") letListScroll();
        if (update.docChanged || update.selectionSet) this.moved(this.meaning(update.state.selection.main.head));
      }),
    ];
    this.view = new EditorView({ parent, extensions });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Another text; what was done before cannot be undone into it. */
  show(text: string, schema: Schema): void {
    this.words = new SchemaWords(schema);
    const { length } = this.view.state.doc;
    this.view.dispatch({ changes: { from: 0, to: length, insert: text }, selection: { anchor: 0 } });
  }

  mark(problems: TextProblem[]): void {
    const marks = problems.map((problem): Diagnostic => {
      const [from, to] = this.range(problem);
      return { from, to, severity: "error", message: problem.text };
    });
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  goTo(problem: TextProblem): void {
    const [anchor] = this.range(problem);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.view.focus();
  }

  private range({ line, column }: TextProblem): [number, number] {
    const { doc } = this.view.state;
    const at = doc.line(Math.min(Math.max(1, line), doc.lines));
    return [Math.min(at.from + Math.max(0, column - 1), at.to), at.to];
  }

  private complete(context: CompletionContext): { from: number; to: number; options: Completion[] } | null {
    const place = placeIn(context.state.doc.toString(), context.pos);
    if (!place || !this.words || (!context.explicit && !place.word)) return null;
    const options = this.words.words(place).map(({ name, about }): Completion => {
      const isKey = place.at === "key" || (place.key === "[]" && about !== "");
      return { label: name, apply: isKey ? `${name}: ` : name, ...(about ? { info: about } : {}) };
    });
    return options.length ? { from: place.from, to: place.to, options } : null;
  }

  private meaning(position: number): string {
    const place = placeIn(this.text, position);
    const found = place && this.words?.meaning(place);
    return found ? `${found.name}: ${found.about}` : "";
  }

  private hover(position: number): { pos: number; create: () => { dom: HTMLElement } } | null {
    const words = this.meaning(position);
    return words ? { pos: position, create: () => ({ dom: h("div", {}, words) }) } : null;
  }
}

