// Handing a file to whoever looks at the page.

import { h } from "./dom";

/** A name for a file, from what people called something: letters of any script stay. */
export function fileName(words: string): string {
  return words.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}.-]+/gu, "_").replace(/^[._]+|_+$/g, "") || "flight";
}

export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
