// A gamepad or joystick through the browser, with a map that people can change and that is remembered per device.

import { clamp } from "./keyboard";
import type { Deflection } from "./sticks";
import { recall, remember } from "../remembered";

export const STICKS = ["roll", "pitch", "yaw", "throttle"] as const;
export type StickName = (typeof STICKS)[number];

export interface AxisMap {
  /** Number of the device's axis, -1 for none. */
  axis: number;
  /** What the axis shows at its ends and at rest; the positive end of the stick is `high`. */
  low: number;
  rest: number;
  high: number;
}
export interface PadMap {
  axes: Record<StickName, AxisMap>;
  /** Channel of each button, -1 for none. */
  buttons: number[];
  /** Button that stops the motors, -1 for none. */
  emergency: number;
  dead_zone: number;
}

const STORE = "cupola.gamepad.";
const IN_HAND = 0.25;

/** Left stick: up and turn; right stick: along and across. As camera drones have it. */
export function usualMap(): PadMap {
  const axis = (number: number, sign: number): AxisMap => ({ axis: number, low: -sign, rest: 0, high: sign });
  return {
    axes: { roll: axis(2, 1), pitch: axis(3, 1), yaw: axis(0, 1), throttle: axis(1, -1) },
    buttons: [6, -1, -1, 7],
    emergency: 1,
    dead_zone: 0.06,
  };
}

/** Deflection -1 to 1 of a reading, straight between the ends and rest. */
export function deflection(reading: number, map: AxisMap, deadZone: number): number {
  const toHigh = map.high - map.rest;
  const toLow = map.rest - map.low;
  const gone = reading - map.rest;
  const full = Math.sign(gone) === Math.sign(toHigh) ? toHigh : toLow;
  const value = full === 0 ? 0 : clamp(gone / full);
  const beyond = Math.max(0, Math.abs(value) - deadZone) / (1 - deadZone);
  return beyond === 0 ? 0 : Math.sign(value) * beyond;
}

export class Gamepads {
  onTaken: () => void = () => {};
  onEmergency: () => void = () => {};
  /** While its map is made it does not fly. */
  resting = false;
  /** While manual control has it, it does not fly either. */
  lent = false;
  private id = "";
  private map = usualMap();
  /** A device that lies on the table does not fly; one whose stick was moved does, until it is let go of. */
  private inHand = false;
  private stopping = false;

  /** The device that flies: the first that is plugged in. */
  get device(): Gamepad | null {
    // A page that came over plain HTTP from another machine may have none, whatever the types say.
    const browser: Partial<Pick<Navigator, "getGamepads">> = navigator;
    const found = browser.getGamepads?.().find((one) => one?.connected) ?? null;
    if (found && found.id !== this.id) {
      this.id = found.id;
      this.map = load(found.id);
      this.inHand = false;
    }
    return found;
  }

  get mapping(): PadMap {
    return this.map;
  }

  set mapping(map: PadMap) {
    this.map = map;
    if (this.id) remember(STORE + this.id, JSON.stringify(map));
  }

  letGo(): void {
    this.inHand = false;
  }

  /** Where its sticks are; null when there is none, or while its map is made. */
  sticks(): Deflection | null {
    const device = this.device;
    if (!device || this.resting) return null;
    this.watchEmergency(device);
    const { axes, dead_zone } = this.map;
    const value = (name: StickName) =>
      axes[name].axis < 0 ? 0 : deflection(device.axes[axes[name].axis] ?? axes[name].rest, axes[name], dead_zone);
    return { roll: value("roll"), pitch: value("pitch"), yaw: value("yaw"), throttle: value("throttle") };
  }

  /** The sticks as a hand that flies; null while nobody holds it. */
  read(): Deflection | null {
    const at = this.lent ? null : this.sticks();
    if (!at) {
      this.inHand = false;
      return null;
    }
    if (!this.inHand && document.hasFocus() && STICKS.some((name) => Math.abs(at[name]) > IN_HAND)) {
      this.inHand = true;
      this.onTaken();
    }
    return this.inHand ? at : null;
  }

  /** Channels that the buttons hold. */
  buttons(): [number, number][] {
    const device = this.inHand ? this.device : null;
    if (!device) return [];
    return this.map.buttons.flatMap((channel, k): [number, number][] =>
      channel >= 0 ? [[channel, device.buttons[k]?.value ?? 0]] : [],
    );
  }

  private watchEmergency(device: Gamepad): void {
    const pressed = device.buttons[this.map.emergency]?.pressed ?? false;
    const begins = pressed && !this.stopping;
    this.stopping = pressed;
    if (begins) this.onEmergency();
  }
}

function load(id: string): PadMap {
  try {
    return { ...usualMap(), ...(JSON.parse(recall(STORE + id) ?? "{}") as Partial<PadMap>) };
  } catch {
    return usualMap();
  }
}
