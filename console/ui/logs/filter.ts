import type { Line, Span } from './line';

export interface LogQuery {
  /** Lower case already; empty finds nothing to mark. */
  text: string;
  /** Empty means all. */
  channels: ReadonlySet<string>;
  /** Show only lines that match, instead of marking them among the others. */
  only: boolean;
}

export interface LogView {
  lines: readonly Line[];
  /** Indices into `lines` of those that match the text. */
  hits: readonly number[];
}

/**
 * Keeps the filtered view while a log grows: new lines are looked at once, not all lines at each flush.
 * A store that drops its oldest lines is followed without starting over.
 */
export class LogFilter {
  #query: LogQuery = { text: '', channels: new Set(), only: false };
  #seen = 0;
  #last: Line | undefined;
  #first: Line | undefined;
  /** Position in the whole stream of each line kept, to know which ones the store has dropped. */
  #at: number[] = [];
  #dropped = 0;
  #kept: Line[] = [];
  #hits: number[] = [];

  update(lines: readonly Line[], query: LogQuery): LogView {
    const grown = this.#sameQuery(query) ? this.#overlap(lines) : -1;
    if (grown < 0) {
      this.#query = query;
      this.#at = [];
      this.#kept = [];
      this.#hits = [];
      this.#dropped = 0;
      this.#take(lines, 0);
    } else {
      this.#dropped += this.#seen - grown;
      this.#forgetDropped();
      this.#take(lines, grown);
    }
    this.#seen = lines.length;
    this.#first = lines[0];
    this.#last = lines.at(-1);
    return { lines: this.#kept, hits: this.#hits };
  }

  #sameQuery(query: LogQuery): boolean {
    const before = this.#query;
    return (
      query.text === before.text &&
      query.only === before.only &&
      query.channels.size === before.channels.size &&
      [...query.channels].every((channel) => before.channels.has(channel))
    );
  }

  /** How many of `lines` were seen before: they are its beginning. -1 when it is another log. */
  #overlap(lines: readonly Line[]): number {
    if (this.#last === undefined) return lines.length === 0 || this.#seen === 0 ? 0 : -1;
    if (lines[0] === this.#first && lines[this.#seen - 1] === this.#last) return this.#seen;
    for (let i = lines.length - 1; i >= 0; i--)
      if (lines[i] === this.#last) return i + 1 <= this.#seen ? i + 1 : -1;
    return -1;
  }

  #forgetDropped() {
    let gone = 0;
    while (gone < this.#at.length && this.#at[gone]! < this.#dropped) gone++;
    if (gone === 0) return;
    this.#at = this.#at.slice(gone);
    this.#kept = this.#kept.slice(gone);
    this.#hits = this.#hits.filter((i) => i >= gone).map((i) => i - gone);
  }

  #take(lines: readonly Line[], from: number) {
    const { text, channels, only } = this.#query;
    let changed = false;
    const kept = this.#kept;
    for (let i = from; i < lines.length; i++) {
      const line = lines[i]!;
      // Gaps belong to every channel: without them a filtered log would look complete.
      if (line.kind === 'line' && channels.size > 0 && !channels.has(line.channel)) continue;
      const hit = text !== '' && line.text.toLowerCase().includes(text);
      if (only && text !== '' && !hit && line.kind === 'line') continue;
      if (hit) this.#hits.push(kept.length);
      this.#at.push(this.#dropped + i);
      kept.push(line);
      changed = true;
    }
    // A new array tells React that there is something to draw; its lines are the same objects.
    if (changed) this.#kept = kept.slice();
    if (changed) this.#hits = this.#hits.slice();
  }
}

/** Which hit to go to first when `top` is the first line on screen: the next from there, or the one before; around the ends. */
export function firstHit(hits: readonly number[], top: number, step: 1 | -1): number {
  const next = hits.findIndex((line) => line >= top);
  if (step === 1) return next === -1 ? 0 : next;
  const before = next === -1 ? hits.length - 1 : next - 1;
  return before < 0 ? hits.length - 1 : before;
}

export interface Piece extends Span {
  hit: boolean;
}

/** A line cut at the edges of its colours and of every place where `query` (lower case) occurs. */
export function pieces(line: Pick<Line, 'text' | 'spans'>, query: string): Piece[] {
  const spans: readonly Span[] = line.spans ?? [{ text: line.text }];
  const lower = line.text.toLowerCase();
  // Some letters change length in lower case; then marks would be drawn beside the match.
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
