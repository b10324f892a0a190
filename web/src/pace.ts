// How often the page draws: as often as the screen shows, or less where that was asked for or would slow the world down.

import { recall, remember } from "./remembered";

const STORE = "cupola.pictures";
/** Pictures a second without a graphics card: the processor that draws them also simulates. */
const SOFTWARE = 30;
/** [ms] that a picture may come early, as screens do not keep time to the millisecond. */
const EARLY = 4;
/** [ms] longest rest after a picture that was slow to draw. */
const LONGEST_REST = 500;
/** Pictures a second of a world that stands while nobody touches the page, and [ms] after which that is so. */
const RESTING = 4;
const QUIET = 1500;
/** [ms] for which it is drawn where nobody touched anything. */
const MOMENT = 200;
/** Weight of the newest picture in the mean. */
const NEWEST = 0.2;

export const RATES = [60, 30, 15, 5] as const;

export class Pace {
  /** [ms] a picture took to draw, smoothed: until the browser asked for the next. */
  took = 0;
  /** Pictures a second at most, as asked for; 0: as the screen shows them, or as software can. */
  private asked: number;
  /** Whether a world that stands has been left alone for a while. */
  rests = false;
  private last = -Infinity;
  private next = -Infinity;
  private drawing = false;
  private woken = -Infinity;

  constructor(private readonly software: boolean) {
    this.asked = Number(recall(STORE) ?? 0) || 0;
  }

  get most(): number {
    return this.asked;
  }

  set most(rate: number) {
    this.asked = rate;
    this.next = -Infinity;
    remember(STORE, String(rate));
  }

  /** Something was done to the page or to the world: what stands is drawn as often as what moves for a while. */
  wake(now = performance.now()): void {
    this.woken = now;
  }

  /** Something may look different now: what stands is drawn for a moment. */
  look(now = performance.now()): void {
    this.woken = Math.max(this.woken, now - QUIET + MOMENT);
  }

  /** Whether a picture is drawn now [ms]. Without a graphics card half of the time is left to the simulation. */
  due(now: number, stands = false): boolean {
    if (this.drawing) {
      this.drawing = false;
      const took = Math.max(0, now - this.last);
      this.took += NEWEST * (took - this.took);
      const most = this.asked || (this.software ? SOFTWARE : Infinity);
      const rest = this.software && !this.asked ? Math.min(LONGEST_REST, took) : 0;
      this.next = Math.max(this.last + 1000 / most, now + rest) - EARLY;
    }
    if (now < this.next) return false;
    this.rests = stands && now - this.woken > QUIET;
    if (this.rests && now < this.last + 1000 / RESTING - EARLY) return false;
    this.last = now;
    this.drawing = true;
    return true;
  }
}
