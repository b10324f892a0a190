// Handing a file to whoever looks at the page.

import { h } from "./dom";

/** A name for a file, from what people called something: letters of any script stay. */
export function fileName(words: string): string {
  return words.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}.-]+/gu, "_").replace(/^[._]+|_+$/g, "") || "flight";
}

/** Characters of the signals in the name of a file: the rest is counted. */
const MOST_SIGNALS = 100;

/** A name for a figure or table of a flight, which may be called as its recording is, and of what is in it. */
export function figureName(flight: string, what: string[]): string {
  const told: string[] = [];
  for (const one of what) if ([...told, one].join(" ").length <= MOST_SIGNALS) told.push(one);
  const more = what.length - told.length;
  return fileName([flight.replace(/\.mcap$/, ""), ...told, ...(more ? [`and ${more} more`] : [])].join(" "));
}

export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
