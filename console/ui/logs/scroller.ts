import type { RowHeights } from './rowHeights';

/** Browsers cannot draw an element much longer: Chromium ends at 2^25 device pixels, Firefox at some 17 million. */
const LONGEST = 4_000_000;
/** So far from either end canvas and rows go in step, so that both ends are reached by wheel as well. */
const IN_STEP = 100_000;
/** Of the visible height: a longer step than any wheel or key makes, so it came from the scroll bar. */
const JUMP = 3;

export interface ScrollBox {
  scrollTop: number;
}

/**
 * Scrolls rows that together are higher than an element may be. `y` is where one is among the rows; the box scrolls a
 * shorter canvas. Small steps move by as many pixels, so that wheel and keys feel as ever; steps of the scroll bar, and
 * the ends, are in proportion.
 */
export class Scroller {
  box: ScrollBox | null = null;
  /** Height of what is seen. Told when it changes: asking the box each time makes the browser lay out the page. */
  viewport = 0;
  #y = 0;
  #last = 0;
  /** The box does not know yet where one is. */
  #moved = false;
  #heights: RowHeights;

  constructor(heights: RowHeights) {
    this.#heights = heights;
  }

  set heights(heights: RowHeights) {
    this.#heights = heights;
  }
  get heights(): RowHeights {
    return this.#heights;
  }

  get y(): number {
    return this.#y;
  }

  get canvas(): number {
    return Math.min(this.#heights.total, LONGEST);
  }

  /** What is to be subtracted from a row's height to have its place on the canvas. */
  get offset(): number {
    return this.#y - this.#last;
  }

  /** The greatest `y`. */
  get end(): number {
    return Math.max(0, this.#heights.total - this.viewport);
  }

  get #most(): number {
    return Math.max(0, this.canvas - this.viewport);
  }

  get #scaled(): boolean {
    return this.#heights.total > LONGEST;
  }

  /** To be called when the box has scrolled. */
  scrolled(): void {
    if (!this.box) return;
    const top = this.box.scrollTop;
    const step = top - this.#last;
    // What we did ourselves.
    if (step === 0) return;
    this.#last = top;
    if (!this.#scaled) {
      this.#y = top;
      return;
    }
    const most = this.#most;
    if (Math.abs(step) > JUMP * this.viewport || top <= 0 || top >= most - 1) {
      this.#y = this.#within(scale(top, most, this.end));
      return;
    }
    this.#y = this.#within(this.#y + step);
    // Near an edge of the canvas and not of the rows: back to where one is in proportion, before the way ends.
    const near = 2 * this.viewport;
    if ((top < near || top > most - near) && Math.abs(this.#place(this.#y) - top) > near) {
      this.moveTo(this.#y);
      this.settle();
    }
  }

  /** Goes there once `settle` is called. */
  moveTo(y: number): void {
    this.#y = y;
    this.#moved = true;
  }

  /** Tells the box where one is, when the canvas has its height. */
  settle(): void {
    if (!this.#moved || !this.box) return;
    this.#moved = false;
    this.#y = this.#within(this.#y);
    const top = this.#place(this.#y);
    if (this.box.scrollTop !== top) this.box.scrollTop = top;
    // Browsers round.
    this.#last = this.box.scrollTop;
  }

  #within(y: number): number {
    return Math.max(0, Math.min(this.end, y));
  }

  #place(y: number): number {
    if (!this.#scaled) return y;
    return Math.round(scale(y, this.end, this.#most));
  }
}

/** A place among `from` as one among `to`: the same at both ends, in proportion between. */
function scale(at: number, from: number, to: number): number {
  if (at <= IN_STEP) return at;
  if (at >= from - IN_STEP) return to - (from - at);
  return IN_STEP + ((at - IN_STEP) / (from - 2 * IN_STEP)) * (to - 2 * IN_STEP);
}
