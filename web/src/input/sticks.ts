// All hands on the sticks of one vehicle: keys, pads on the screen, a gamepad; sent to the server, neutral when in doubt.

import { handMode, type Link } from "../link";
import { STICK_CHANNELS, STICKS_EXPIRE } from "../messages";
import { type Gamepads } from "./gamepad";
import { clamp, Keyboard } from "./keyboard";
import { VehicleKeys } from "./vehicle_keys";

export interface Deflection {
  roll: number;
  pitch: number;
  yaw: number;
  throttle: number;
}
/** Something on the screen that a hand holds. */
export interface Pad {
  /** Null when nobody holds it. */
  read(rest: number): Deflection | null;
  letGo(): void;
}

const EVERY = 20;
/** [ms] between two messages while anything is deflected: ten within the time after which sticks go to neutral. */
const REPEAT = (1000 * STICKS_EXPIRE) / 10;

export class Sticks {
  /** As last sent. */
  readonly channels = new Float64Array(STICK_CHANNELS);
  readonly keyboard: Keyboard;
  readonly pads: Pad[] = [];
  /** Channels that are pressed on the screen, or by a key of the vehicle's own. */
  readonly held = new Map<number, number>();
  private sentAt = -Infinity;
  private inUse = false;
  private updated = performance.now();

  constructor(
    private readonly link: Link,
    readonly gamepads: Gamepads,
    private readonly refused: () => void,
  ) {
    new VehicleKeys(link, this);
    this.keyboard = new Keyboard(
      () => this.takeOver(),
      () => this.update(),
    );
    gamepads.onTaken = () => this.takeOver();
    gamepads.onEmergency = () => this.stop();
    addEventListener("blur", () => this.neutral());
    document.addEventListener("visibilitychange", () => document.hidden && this.neutral());
    link.on("connection", () => this.neutral());
    link.on("vehicle", () => this.neutral());
    link.on("world", () => this.neutral());
    setInterval(() => this.update(), EVERY);
  }

  /** Motors off; any page may ask for it. */
  stop(): void {
    this.neutral();
    this.link.send({ kind: "emergency", on: true });
  }

  /** Whether this page has the sticks, or takes them now. */
  mayTake(): boolean {
    const { link } = this;
    if (!link.connected || !link.vehicleInfo || link.hello?.replay) return false;
    if (link.holdsSticks || link.takeSticks()) return true;
    this.refused();
    return false;
  }

  /** A hand moved: from now on this page flies. */
  takeOver(): void {
    const { link } = this;
    const vehicle = link.vehicleInfo;
    if (!vehicle || !this.mayTake()) return;
    const mode = handMode(link);
    if (mode !== link.mode && (mode === "assisted" || mode === "raw"))
      link.send({ kind: "mode", vehicle: link.vehicle, mode });
    this.update();
  }

  /** All hands off. */
  neutral(): void {
    this.keyboard.letGo();
    this.gamepads.letGo();
    this.held.clear();
    for (const pad of this.pads) pad.letGo();
    this.update();
  }

  /** Something else has moved the sticks, which stay where they are: keys and pads begin there when they come again. */
  forget(): void {
    this.keyboard.letGo();
    for (const pad of this.pads) pad.letGo();
    this.inUse = false;
  }

  /** Where the throttle lies in the present mode when nobody holds it. */
  get rest(): number {
    const vehicle = this.link.vehicleInfo;
    return vehicle?.throttle_rests_at[vehicle.modes.indexOf(this.link.mode)] ?? 0;
  }

  /** Where roll, pitch, yaw or throttle is in the world. */
  position(stick: number): number {
    const channel = this.link.vehicleInfo?.sticks[stick] ?? -1;
    const at = channel < 0 ? 0 : this.link.frame?.get("sticks")[STICK_CHANNELS * this.link.vehicle + channel];
    return at || 0; // a wheel that is left alone has no number
  }

  /** Read all hands and say what is new. */
  update(): void {
    const now = performance.now();
    const seconds = Math.min(0.1, (now - this.updated) / 1000);
    this.updated = now;
    const { rest } = this;
    const hands = [
      this.keyboard.read(this.link.mode !== "assisted", rest, this.position(3), seconds),
      this.gamepads.read(),
      ...this.pads.map((pad) => pad.read(rest)),
    ];
    const using = hands.some((hand) => hand !== null) || this.held.size > 0;
    if (!using && !this.inUse) return;
    const changed = this.write(
      hands.filter((hand) => hand !== null),
      rest,
    );
    if (this.link.holdsSticks && (changed || now - this.sentAt >= REPEAT)) {
      this.sentAt = now;
      this.link.send({ kind: "sticks", vehicle: this.link.vehicle, channels: Array.from(this.channels) });
    }
    this.inUse = using; // when the last hand goes, neutral is sent once; the server keeps it
  }

  private write(hands: Deflection[], rest: number): boolean {
    const before = this.channels.slice();
    this.channels.fill(0);
    const sum = (pick: (hand: Deflection) => number) => clamp(hands.reduce((total, hand) => total + pick(hand), 0));
    const levels = [
      sum((a) => a.roll),
      sum((a) => a.pitch),
      sum((a) => a.yaw),
      clamp(rest + hands.reduce((t, a) => t + a.throttle - rest, 0)),
    ];
    for (const [channel, value] of [...this.gamepads.buttons(), ...this.held]) this.channels[channel] = value;
    this.link.vehicleInfo?.sticks.forEach((channel, k) => {
      if (channel >= 0) this.channels[channel] = levels[k]!;
    });
    return this.channels.some((value, k) => value !== before[k]);
  }
}
