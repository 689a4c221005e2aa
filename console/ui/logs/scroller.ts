import type { RowHeights } from './rowHeights';

/**
 * Maximum element height, below the browsers' limits: 2^25 device pixels in Chromium, about 17 million in Firefox.
 */
const MAX_SCROLL_PX = 4_000_000;
/** Distance from either end within which canvas and rows move in step, so that the wheel also reaches both ends. */
const IN_STEP = 100_000;
/** In visible heights: a larger step than any wheel or key makes, so it came from the scroll bar. */
const JUMP = 3;

export interface ScrollBox {
  scrollTop: number;
}

/**
 * Scrolls rows that together exceed the maximum element height. `y` is the position among the rows; the box scrolls
 * a shorter canvas. Small steps move by the same number of pixels, so that wheel and keys feel normal; scroll bar
 * steps, and the ends, are proportional.
 */
export class Scroller {
  box: ScrollBox | null = null;
  /** Visible height. Set when it changes, because reading it from the box each time would force a layout. */
  viewport = 0;
  #y = 0;
  #last = 0;
  /** Whether the box must still be scrolled to `y`. */
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
    return Math.min(this.#heights.total, MAX_SCROLL_PX);
  }

  /** The number to subtract from a row's position to get its position on the canvas. */
  get offset(): number {
    return this.#y - this.#last;
  }

  /** The maximum `y`. */
  get end(): number {
    return Math.max(0, this.#heights.total - this.viewport);
  }

  get #most(): number {
    return Math.max(0, this.canvas - this.viewport);
  }

  get #scaled(): boolean {
    return this.#heights.total > MAX_SCROLL_PX;
  }

  /** Call after the box has scrolled. */
  scrolled(): void {
    if (!this.box) return;
    const top = this.box.scrollTop;
    const step = top - this.#last;
    // Caused by our own scrolling.
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
    // Near an edge of the canvas but not of the rows: return to the proportional position before running out of
    // canvas.
    const near = 2 * this.viewport;
    if ((top < near || top > most - near) && Math.abs(this.#place(this.#y) - top) > near) {
      this.moveTo(this.#y);
      this.settle();
    }
  }

  /** Moves to `y` at the next `settle`. */
  moveTo(y: number): void {
    this.#y = y;
    this.#moved = true;
  }

  /** Scrolls the box to `y`, once the canvas has its height. */
  settle(): void {
    if (!this.#moved || !this.box) return;
    this.#moved = false;
    this.#y = this.#within(this.#y);
    const top = this.#place(this.#y);
    if (this.box.scrollTop !== top) this.box.scrollTop = top;
    // Browsers round the value.
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

/** Scales a position from one range to another: equal at both ends, proportional between. */
function scale(at: number, from: number, to: number): number {
  if (at <= IN_STEP) return at;
  if (at >= from - IN_STEP) return to - (from - at);
  return IN_STEP + ((at - IN_STEP) / (from - 2 * IN_STEP)) * (to - 2 * IN_STEP);
}
