// A key of manual control on the screen.

import { h } from "../dom";
import type { DriveKey, Driving } from "../input/driving";

/** It is held like one of the keyboard. */
export function keyButton(driving: Driving, key: DriveKey, label: string, words: string): HTMLButtonElement {
  const button = h("button", { type: "button", class: "drive-key", "aria-label": words, title: words }, label);
  button.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    button.setPointerCapture(event.pointerId);
    driving.press(key);
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"])
    button.addEventListener(name, () => driving.release(key));
  return button;
}
