// How long the page computes per picture, drawing left out.

const KEPT = 300;

export class ScriptTime {
  readonly took: number[] = [];
  /** Since the page was opened, or since somebody set it to 0. */
  pictures = 0;
  private began = 0;

  start(): void {
    this.began = performance.now();
  }

  /** `more` [ms] were spent on this picture before, as on the frames that it shows. */
  end(more: number): void {
    this.pictures++;
    this.took.push(performance.now() - this.began + more);
    if (this.took.length > KEPT) this.took.shift();
  }

  /** [ms] of the last pictures. */
  get median(): number {
    const sorted = [...this.took].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }
}
