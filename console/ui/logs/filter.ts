import { type Block, KIND, type LogView, type RowKind } from '../../lib/logs/text';
import type { Line, Span } from './line';
import { Numbers } from './numbers';

export interface LogQuery {
  /** In lowercase; empty marks nothing. */
  text: string;
  /** Empty means all. */
  channels: ReadonlySet<string>;
  /** Shows only matching lines, instead of marking them among the others. */
  only: boolean;
}

/** The visible rows, with the line in each. */
export interface LogRows {
  readonly log: LogView;
  readonly count: number;
  /** Returns the number of a row's line. */
  line: (row: number) => number;
  /** Returns a line's row, or that of the next line with one. */
  row: (line: number) => number;
  /** Matching lines, in order. */
  readonly hits: Numbers;
  /** Number of lines that haven't been searched yet. */
  readonly left: number;
}

/**
 * Finds matching lines in slices that fit between frames, so that a million lines never block the page. New lines are
 * searched as they arrive, and dropping the oldest lines does not restart the search.
 */
export class LogFilter {
  #query: LogQuery = { text: '', channels: new Set(), only: false };
  #log: LogView | null = null;
  /** Lines below it have been searched. */
  #next = 0;
  #hits = new Numbers();
  /** Lines that have a row, unless all do. */
  #kept: Numbers | null = null;

  /** Call when the log or the query changes; then call `work` until nothing is left. */
  update(log: LogView, query: LogQuery): void {
    if (!same(this.#query, query) || (this.#log !== null && log.end < this.#log.end)) {
      this.#query = query;
      this.#next = log.first;
      this.#hits = new Numbers();
      this.#kept = query.channels.size > 0 || (query.only && query.text !== '') ? new Numbers() : null;
    }
    this.#log = log;
    this.#next = Math.max(this.#next, log.first);
    this.#hits.forget(log.first);
    this.#kept?.forget(log.first);
    if (query.text === '' && this.#kept === null) this.#next = log.end;
  }

  /** Searches lines for about this long. */
  work(budget_ms: number): void {
    const log = this.#log;
    if (!log) return;
    const until = performance.now() + budget_ms;
    while (this.#next < log.end) {
      const [block, from] = log.find(this.#next);
      const to = Math.min(block.count, log.end - block.start);
      this.#look(block, from, to);
      this.#next = block.start + to;
      if (performance.now() >= until) return;
    }
  }

  rows(): LogRows {
    const log = this.#log!;
    const kept = this.#kept;
    const common = { log, hits: this.#hits, left: log.end - this.#next };
    if (!kept)
      return {
        ...common,
        count: log.length,
        line: (row) => log.first + row,
        row: (line) => Math.max(0, line - log.first),
      };
    return { ...common, count: kept.length, line: (row) => kept.at(row), row: (line) => kept.find(line) };
  }

  #look(block: Block, from: number, to: number): void {
    const { text, channels, only } = this.#query;
    const whole = from === 0 && to === block.count && text !== '' ? block.whole : null;
    const lower = whole?.toLowerCase();
    // Some letters change length in lowercase; then its offsets don't match the block's.
    const inWhole = lower !== undefined && lower.length === whole!.length && channels.size === 0;
    const hits = inWhole ? hitsIn(block, lower, text) : null;
    if (hits) for (const at of hits) this.#hits.push(block.start + at);
    if (hits && !this.#kept) return;
    if (hits && only) {
      for (const at of merged(hits, block.marks)) this.#kept!.push(block.start + at);
      return;
    }
    const allowed = channelMask(channels);
    for (let at = from; at < to; at++) {
      const kind = block.kinds[at]!;
      const mark = kind === KIND.gap || kind === KIND.notice;
      // Gaps belong to every channel; without them, a filtered log would look complete.
      if (!mark && !allowed[kind]) continue;
      const hit = text !== '' && !mark && block.text(at).toLowerCase().includes(text);
      if (hit) this.#hits.push(block.start + at);
      if (this.#kept && (mark || hit || !only || text === '')) this.#kept.push(block.start + at);
    }
  }
}

const same = (a: LogQuery, b: LogQuery) =>
  a.text === b.text &&
  a.only === b.only &&
  a.channels.size === b.channels.size &&
  [...a.channels].every((channel) => b.channels.has(channel));

function channelMask(channels: ReadonlySet<string>): boolean[] {
  const kinds: readonly RowKind[] = ['stdout', 'stderr'];
  return kinds.map((kind) => channels.size === 0 || channels.has(kind));
}

/** Returns the positions of matching lines in a full block, with a single search over its text. */
function hitsIn(block: Block, lower: string, text: string): number[] {
  const hits: number[] = [];
  let at = 0;
  for (let found = lower.indexOf(text); found !== -1;) {
    while (block.ends[at]! <= found) at++;
    // Lines are concatenated without separators, so a match across a boundary is in neither line.
    const inside = found + text.length <= block.ends[at]!;
    const mark = block.kinds[at] === KIND.gap || block.kinds[at] === KIND.notice;
    if (inside && !mark) hits.push(at);
    found = lower.indexOf(text, inside ? block.ends[at]! : found + 1);
  }
  return hits;
}

function merged(a: readonly number[], b: readonly number[]): number[] {
  return b.length === 0 ? [...a] : [...new Set([...a, ...b])].sort((x, y) => x - y);
}

/**
 * Returns the match to visit first if line `top` is the first on screen: the next or previous one, wrapping around.
 */
export function firstHit(hits: Numbers, top: number, step: 1 | -1): number {
  const next = hits.find(top);
  if (step === 1) return next === hits.length ? 0 : next;
  return next === 0 ? hits.length - 1 : next - 1;
}

export interface Piece extends Span {
  hit: boolean;
}

/** Splits a line at the boundaries of its colors and of every match of `query` (in lowercase). */
export function pieces(line: Pick<Line, 'text' | 'spans'>, query: string): Piece[] {
  const spans: readonly Span[] = line.spans ?? [{ text: line.text }];
  const lower = line.text.toLowerCase();
  // Some letters change length in lowercase; then marks would be drawn beside the match.
  if (query === '' || lower.length !== line.text.length)
    return spans.map((span) => ({ ...span, hit: false }));
  const edges: [number, number][] = [];
  for (let i = lower.indexOf(query); i !== -1; i = lower.indexOf(query, i + query.length))
    edges.push([i, i + query.length]);
  const out: Piece[] = [];
  let start = 0;
  let next = 0;
  for (const span of spans) {
    const end = start + span.text.length;
    let at = start;
    while (at < end) {
      while (next < edges.length && edges[next]![1] <= at) next++;
      const edge = edges[next];
      const inside = edge !== undefined && edge[0] <= at;
      const to = Math.min(end, edge === undefined ? end : inside ? edge[1] : edge[0]);
      out.push({ ...span, text: line.text.slice(at, to), hit: inside });
      at = to;
    }
    start = end;
  }
  return out;
}
