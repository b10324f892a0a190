// Handing a file to whoever looks at the page.

import { h } from "./dom";

export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
