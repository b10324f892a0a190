// What the page remembers from visit to visit, or within one. A browser may refuse: in a frame of another site, as in a
// notebook, or by its settings. Then it is remembered as long as the page is open.

const here = new Map<string, string>();

export function recall(name: string, store: "localStorage" | "sessionStorage" = "localStorage"): string | null {
  try {
    return globalThis[store].getItem(name);
  } catch {
    return here.get(name) ?? null;
  }
}

export function remember(name: string, value: string, store: "localStorage" | "sessionStorage" = "localStorage"): void {
  try {
    globalThis[store].setItem(name, value);
  } catch {
    here.set(name, value);
  }
}
