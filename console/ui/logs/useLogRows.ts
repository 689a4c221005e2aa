import { useLayoutEffect, useReducer, useState, type RefObject } from 'react';
import type { LogRows } from './filter';
import { EqualRows, type RowHeights, UnequalRows } from './rowHeights';
import { Scroller } from './scroller';

export const rowHeight = 20;
const OVERSCAN = 24;
/** Rows left before more are rendered. */
const MARGIN = 8;
/** Widths of a monospace character and of the text's prefix: estimates, corrected by measuring. */
const CHAR_WIDTH = 7.8;
const BEFORE_TEXT = 140;

interface Given {
  rows: LogRows;
  wrap: boolean;
  /** Stays at the end when lines arrive. */
  follow: boolean;
  box: RefObject<HTMLDivElement | null>;
  /** The element that contains the rendered rows. */
  slot: RefObject<HTMLDivElement | null>;
}

/** The reading position: a line, and how many of its pixels are above the top. */
interface Place {
  line: number;
  above: number;
}

/** State between renders. */
class Rows {
  readonly scroller = new Scroller(new EqualRows(0, rowHeight));
  /** The rendered rows: first (inclusive) and last (exclusive). */
  from = 0;
  to = 0;
  place: Place | null = null;
  /** The line to scroll to at the next render. */
  wanted: number | null = null;
  rows: LogRows | null = null;
  #uneven: { hits: unknown; first: number; width: number; heights: UnequalRows } | null = null;

  /** Sets the box to scroll, once there is one. */
  attach(box: HTMLElement | null): void {
    this.scroller.box = box;
    this.scroller.viewport = box?.clientHeight ?? 0;
  }

  want(line: number): void {
    this.wanted = line;
  }

  goToEnd(): void {
    this.scroller.moveTo(this.scroller.end);
  }

  /** Applies changes, and decides which rows to render. */
  prepare(rows: LogRows, heights: RowHeights, follow: boolean): void {
    const { scroller } = this;
    const before = this.rows;
    const moved =
      before?.hits !== rows.hits ||
      before.log.first !== rows.log.first ||
      scroller.heights.constructor !== heights.constructor;
    this.rows = rows;
    scroller.heights = heights;
    if (this.wanted !== null && rows.count > 0) {
      const row = Math.min(rows.count - 1, rows.row(this.wanted));
      scroller.moveTo(Math.max(0, heights.top(row) - scroller.viewport / 2));
      this.wanted = null;
    } else if (follow) scroller.moveTo(scroller.end);
    // Keeps the top line in place, even if rows above it were added or dropped.
    else if (moved) this.goBack();
    const [first, last] = this.#visible();
    this.from = Math.max(0, first - OVERSCAN);
    this.to = Math.min(rows.count, last + 1 + OVERSCAN);
  }

  goBack(): void {
    const { rows, place, scroller } = this;
    if (!rows || !place || rows.count === 0) return;
    const row = Math.min(rows.count - 1, rows.row(Math.max(place.line, rows.log.first)));
    scroller.moveTo(scroller.heights.top(row) + (rows.line(row) === place.line ? place.above : 0));
  }

  /** Runs after rendering and after scrolling. @returns whether enough rows are rendered */
  settle(slot: HTMLElement | null): boolean {
    const { scroller, rows } = this;
    scroller.settle();
    if (!rows || rows.count === 0) return true;
    if (slot) slot.style.transform = `translateY(${scroller.heights.top(this.from) - scroller.offset}px)`;
    const [first, last] = this.#visible();
    this.place = { line: rows.line(first), above: scroller.y - scroller.heights.top(first) };
    return (
      (this.from === 0 || first - MARGIN >= this.from) && (this.to >= rows.count || last + MARGIN < this.to)
    );
  }

  /** Corrects rows whose height differs from the estimate. @returns whether there were any */
  measure(slot: HTMLElement | null): boolean {
    const { heights } = this.scroller;
    if (!(heights instanceof UnequalRows)) return false;
    let corrected = false;
    [...(slot?.children ?? [])].forEach((child, i) => {
      const height = Math.round((child as HTMLElement).offsetHeight);
      const row = this.from + i;
      if (height === 0 || row >= heights.count || heights.height(row) === height) return;
      heights.correct(row, height);
      corrected = true;
    });
    return corrected;
  }

  heightsOf(rows: LogRows, wrap: boolean, width: number): RowHeights {
    if (!wrap) {
      this.#uneven = null;
      return new EqualRows(rows.count, rowHeight);
    }
    const { hits, log } = rows;
    const kept = this.#uneven;
    const gone = log.first - (kept?.first ?? 0);
    const whole = rows.count === log.length;
    const same =
      kept?.hits === hits && kept.width === width && (gone === 0 || (whole && kept.heights.dropFirst(gone)));
    const heights = same ? kept.heights : new UnequalRows();
    this.#uneven = { hits, first: log.first, width, heights };
    const columns = Math.max(20, Math.floor((width - BEFORE_TEXT) / CHAR_WIDTH));
    for (let row = heights.count; row < rows.count; row++)
      heights.push(rowHeight * Math.max(1, Math.ceil(log.width(rows.line(row)) / columns)));
    return heights;
  }

  #visible(): [number, number] {
    const { heights, y, viewport } = this.scroller;
    return [heights.rowAt(y), heights.rowAt(y + viewport)];
  }
}

/** Returns which rows to render, where, and how to scroll to others. */
export function useLogRows({ rows, wrap, follow, box, slot }: Given) {
  const [, draw] = useReducer((n: number) => n + 1, 0);
  const [width, setWidth] = useState(0);
  const [state] = useState(() => new Rows());
  const { scroller } = state;
  state.prepare(rows, state.heightsOf(rows, wrap, width), follow);
  const empty = rows.count === 0;

  // oxlint-disable-next-line react-hooks/exhaustive-deps -- after each drawing, until nothing has to be corrected
  useLayoutEffect(() => {
    const enough = state.settle(slot.current);
    if (!state.measure(slot.current)) {
      if (!enough) draw();
      return;
    }
    // Rows below them were pushed down; the top stays.
    if (follow) state.goToEnd();
    else state.goBack();
    draw();
  });

  useLayoutEffect(() => {
    const element = box.current;
    state.attach(element);
    if (!element) return;
    const watch = new ResizeObserver(() => {
      state.attach(element);
      setWidth(element.clientWidth);
      draw();
    });
    watch.observe(element);
    return () => watch.disconnect();
    // A log without lines has no box.
  }, [box, state, empty]);

  return {
    from: state.from,
    to: state.to,
    canvas: scroller.canvas,
    /** @returns true at the end */
    onScroll(): boolean {
      scroller.scrolled();
      if (!state.settle(slot.current)) draw();
      return scroller.end - scroller.y < rowHeight + 4;
    },
    toLine(line: number): void {
      state.want(line);
      draw();
    },
    /** Returns the line at the top of the screen. */
    topLine: () => state.place?.line ?? rows.log.first,
  };
}
