// Where in a YAML text the cursor is: the keys that lead there, and what stands beside it. Reads texts that are not
// finished: what cannot be understood is left out.

export interface Entry {
  /** "[]" for an item of a list, "" for a word that is no key yet. */
  key: string;
  /** A single value as it is written; empty for a mapping or a list. */
  value: string;
  inside: Entry[];
  /** Of its first character in its line; that of what stands in braces does not count. */
  column: number;
}

export interface Place {
  /** From the whole text down to the mapping or list in which the cursor is. */
  above: Entry[];
  /** Whether a key or a value is being written. */
  at: "key" | "value";
  /** The key whose value it is; "[]" for an item of a list. */
  key: string;
  /** The word at the cursor. */
  word: string;
  from: number;
  to: number;
}

const MARK = "\uE000";
const KEY = /(?:"[^"\n]*"|'[^'\n]*'|[^\s#:{}[\],"'-][^\n:#{}[\],]*?)[ \t]*:(?=\s|$)/y;
const WORD = /[\w./-]/;

export function placeIn(text: string, cursor: number): Place | null {
  let from = cursor;
  let to = cursor;
  while (from > 0 && WORD.test(text[from - 1]!)) from -= 1;
  while (to < text.length && WORD.test(text[to]!)) to += 1;
  const root = new Reader(text.slice(0, from) + MARK + text.slice(to)).read();
  const found = find(root, []);
  return found && { ...found, word: text.slice(from, to), from, to };
}

function find(entry: Entry, above: Entry[]): Pick<Place, "above" | "at" | "key"> | null {
  const chain = [...above, entry];
  for (const one of entry.inside) {
    if (one.key.includes(MARK)) return { above: chain, at: "key", key: "" };
    if (one.value.includes(MARK)) return { above: chain, at: one.key ? "value" : "key", key: one.key };
    const deeper = find(one, chain);
    if (deeper) return deeper;
  }
  return null;
}

/** The value beside others of a mapping, or nothing. */
export function valueOf(entry: Entry, key: string): string {
  return entry.inside.find((one) => one.key === key)?.value ?? "";
}

class Reader {
  private at = 0;
  private readonly root = entryOf("", -1);
  private readonly open = [this.root];

  constructor(private readonly text: string) {}

  read(): Entry {
    while (this.at < this.text.length) {
      const line = this.at;
      this.skip(/[ ]*/y);
      if (/[#\n\r]/.test(this.text[this.at] ?? "\n")) this.skipLine();
      else this.readLine(line);
    }
    return this.root;
  }

  private readLine(line: number): void {
    while (/-[ \t]/.test(this.text.slice(this.at, this.at + 2)) || this.text.startsWith("-\n", this.at)) {
      const column = this.at - line;
      this.leave((one) => one.column > column || (one.column === column && one.key === "[]"));
      this.enter(entryOf("[]", column));
      this.at += 1;
      this.skip(/[ \t]*/y);
    }
    const column = this.at - line;
    const key = this.match(KEY);
    if (key !== null) {
      this.leave((one) => one.column >= column);
      this.enter(entryOf(unquoted(key.replace(/[ \t]*:$/, "")), column));
      this.skip(/[ \t]*/y);
      this.readValue(this.open.at(-1)!, column);
    } else if (this.text[this.at] === "\n") this.skipLine();
    else if (this.open.at(-1)!.key === "[]" && this.open.at(-1)!.column < column && !this.open.at(-1)!.inside.length)
      this.readValue(this.open.at(-1)!, column);
    else {
      this.leave((one) => one.column >= column);
      const word = entryOf("", column);
      this.open.at(-1)!.inside.push(word);
      this.readValue(word, column);
    }
  }

  /** What follows a key or a dash, to the end of its line or of its brackets. */
  private readValue(entry: Entry, column: number): void {
    const first = this.text[this.at];
    if (first === "{" || first === "[") this.readFlow(entry);
    else if (first === "|" || first === ">") {
      this.skipLine();
      while (this.at < this.text.length && (this.match(/[ \t]*\n/y) !== null || this.indent() > column)) this.skipLine();
      return;
    } else entry.value = unquoted((this.match(/(?:[^\n#]|(?<! )#)*/y) ?? "").trim());
    this.skipLine();
  }

  private readFlow(entry: Entry): void {
    const list = this.text[this.at] === "[";
    this.at += 1;
    for (;;) {
      this.skip(/(?:[\s,]|#[^\n]*)*/y);
      const next = this.text[this.at];
      if (next === undefined) return;
      if (next === "]" || next === "}") {
        this.at += 1;
        return;
      }
      const key = list ? null : this.match(/(?:"[^"\n]*"|'[^'\n]*'|[^\s:{}[\],"'][^\n:{}[\],]*?)[ \t]*:/y);
      const one = entryOf(list ? "[]" : key === null ? "" : unquoted(key.slice(0, -1).trim()), Infinity);
      entry.inside.push(one);
      this.skip(/[ \t]*/y);
      if (this.text[this.at] === "{" || this.text[this.at] === "[") this.readFlow(one);
      else one.value = unquoted((this.match(/(?:"[^"\n]*"|'[^'\n]*'|[^\n,{}[\]])*/y) ?? "").trim());
    }
  }

  private enter(entry: Entry): void {
    this.open.at(-1)!.inside.push(entry);
    this.open.push(entry);
  }

  private leave(over: (entry: Entry) => boolean): void {
    while (this.open.length > 1 && over(this.open.at(-1)!)) this.open.pop();
  }

  private indent(): number {
    return /^ */.exec(this.text.slice(this.at, this.at + 200))![0].length;
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return null;
    this.at = pattern.lastIndex;
    return found[0];
  }

  private skip(pattern: RegExp): void {
    this.match(pattern);
  }

  private skipLine(): void {
    const end = this.text.indexOf("\n", this.at);
    this.at = end < 0 ? this.text.length : end + 1;
  }
}

function entryOf(key: string, column: number): Entry {
  return { key, value: "", inside: [], column };
}

function unquoted(text: string): string {
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text;
}
