// Pictures one after the other in the time of the simulation: as many as were asked for, however long each takes to draw.

import { Zip, ZipPassThrough } from "three/examples/jsm/libs/fflate.module.js";

export interface Plan {
  since: number;
  until: number;
  /** Pictures a second of simulated time. */
  rate: number;
}

/** The moments [s] of a film: of 10 s at 60 a second, 600. */
export function moments({ since, until, rate }: Plan): number[] {
  const count = Math.max(1, Math.round((until - since) * rate));
  return Array.from({ length: count }, (_, k) => since + k / rate);
}

/** How to make a film of the pictures with a well-known program. */
export function howTo({ rate }: Plan): string {
  return `The pictures are in their order, ${rate} a second. One film of them:\nffmpeg -framerate ${rate} -i frame_%05d.png -pix_fmt yuv420p film.mp4\n`;
}

/** All pictures in one file. `draw` shows a moment and returns its picture; `told` hears how many are done, and may stop it. */
export async function film(
  plan: Plan,
  draw: (time: number) => Promise<Blob>,
  told: (done: number, all: number) => boolean,
): Promise<Blob | null> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error; // to whoever adds the picture
    parts.push(new Uint8Array(chunk));
  });
  const add = (name: string, content: Uint8Array) => {
    const file = new ZipPassThrough(name); // a PNG cannot be made smaller
    zip.add(file);
    file.push(content, true);
  };
  const all = moments(plan);
  for (const [k, time] of all.entries()) {
    const picture = await draw(time);
    add(`frame_${String(k).padStart(5, "0")}.png`, new Uint8Array(await picture.arrayBuffer()));
    if (!told(k + 1, all.length)) return null;
  }
  add("README.txt", new TextEncoder().encode(howTo(plan)));
  zip.end();
  return new Blob(parts, { type: "application/zip" });
}
