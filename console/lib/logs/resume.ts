// Joins a log after an interruption. The viewer requests it again from slightly before the last line; this
// decides which lines are new, so that nothing appears twice, and whether the parts overlap, so that nothing is
// missing without a marker.

import { type ParsedLine, timestampNanos } from './parse';

/** Docker writes stdout and stderr independently; their timestamps may be out of order by this much. */
const OVERLAP_NANOS = 1_000_000_000n;
/** Lines kept for comparison, and lines held until they can be compared. */
const REMEMBERED = 5_000;
const HELD = 5_000;

export interface ResumeQuery {
  /** RFC 3339; request lines since then, inclusive. */
  since?: string;
  /** Request this many last lines if the log has no timestamps. */
  tail?: number;
}

export type Resumed = { kind: 'line'; line: ParsedLine } | { kind: 'gap' };

interface Seen {
  key: string;
  nanos: bigint | null;
  timestamp: string | null;
}

type Replay =
  /** With timestamps: `counts` are the lines expected again, from `floor` on. */
  | { by: 'time'; counts: Map<string, number>; floor: bigint; held: ParsedLine[] }
  /** Without timestamps: everything is held until the stream is idle, then compared as a whole. */
  | { by: 'text'; held: ParsedLine[] };

const keyOf = (line: ParsedLine) => `${line.channel} ${line.timestamp ?? ''} ${line.text}`;

export class Resume {
  /** Newest last. */
  private seen: Seen[] = [];
  private replay: Replay | null = null;
  /** Lines of the last replay not yet repeated, after the parts have joined. */
  private expected: Map<string, number> | null = null;

  /** True while lines are held; `settle` decides about them. */
  get holding(): boolean {
    return this.replay !== null && this.replay.held.length > 0;
  }

  /** Call before reconnecting; empty if nothing was received yet (request everything). */
  begin(): ResumeQuery {
    // After a second disconnect during a replay, the held lines are requested again.
    this.replay = null;
    this.expected = null;
    const last = this.seen.at(-1);
    if (!last) return {};
    if (last.nanos === null) {
      this.replay = { by: 'text', held: [] };
      return { tail: Math.min(HELD, this.seen.length * 2 + 1_000) };
    }
    // Measured from the last line rather than the highest timestamp, because guest clocks can step back.
    const from = last.nanos - OVERLAP_NANOS;
    const counts = new Map<string, number>();
    let floor = last.nanos;
    let since = last.timestamp;
    for (const { key, nanos, timestamp } of this.seen) {
      if (nanos === null || nanos < from) continue;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (timestamp !== null && (since === null || nanos < floor)) {
        floor = nanos;
        since = timestamp;
      }
    }
    this.replay = { by: 'time', counts, floor, held: [] };
    return since === null ? {} : { since };
  }

  /** What to show for a received line: the line, a gap and the line, or nothing. */
  accept(line: ParsedLine): Resumed[] {
    const { replay } = this;
    if (this.takeExpected(replay?.by === 'time' ? replay.counts : this.expected, line)) {
      // The parts have joined: held lines are older still.
      if (replay?.by === 'time') this.join(replay.counts);
      return [];
    }
    if (!replay) return [this.show(line)];
    const nanos = this.nanosOf(line);
    // Servers may round `since` down or ignore it: older lines wait until the parts have joined.
    if (replay.by === 'text' || (nanos !== null && nanos < replay.floor)) {
      replay.held.push(line);
      return replay.held.length >= HELD ? this.settle() : [];
    }
    // The last known line must be repeated; otherwise the log was truncated in between.
    this.join(replay.counts);
    return [{ kind: 'gap' }, this.show(line)];
  }

  /** Call when the stream is idle or has ended; decides about held lines. */
  settle(): Resumed[] {
    const { replay } = this;
    if (!replay || replay.held.length === 0) return [];
    this.join(replay.by === 'time' ? replay.counts : null);
    const joinedAt = replay.by === 'time' ? 0 : this.overlap(replay.held);
    const fresh = replay.held.slice(joinedAt).map((line) => this.show(line));
    return joinedAt === 0 ? [{ kind: 'gap' }, ...fresh] : fresh;
  }

  private join(counts: Map<string, number> | null): void {
    this.replay = null;
    this.expected = counts;
  }

  private takeExpected(counts: Map<string, number> | null, line: ParsedLine): boolean {
    const key = counts && counts.size > 0 ? keyOf(line) : '';
    const count = counts?.get(key) ?? 0;
    if (!counts || count === 0) return false;
    if (count === 1) counts.delete(key);
    else counts.set(key, count - 1);
    return true;
  }

  /**
   * Returns how many leading lines of an untimed replay are known; 0 if the parts don't overlap. The replay is
   * the log's end, so it either starts inside the remembered lines or covers them. The longest match wins:
   * dropping a genuinely repeated line is better than showing one twice.
   */
  private overlap(held: readonly ParsedLine[]): number {
    const keys = held.map(keyOf);
    for (let end = keys.length; end > 0; end--) {
      const length = Math.min(end, this.seen.length);
      let same = 0;
      while (same < length && keys[end - 1 - same] === this.seen[this.seen.length - 1 - same]?.key) same++;
      if (same === length) return end;
    }
    return 0;
  }

  /** A line without its own timestamp in a timed log belongs to the previous line. */
  private nanosOf(line: ParsedLine): bigint | null {
    if (line.timestamp === null) return this.seen.at(-1)?.nanos ?? null;
    return timestampNanos(line.timestamp);
  }

  private show(line: ParsedLine): Resumed {
    const { timestamp } = line;
    this.seen.push({ key: keyOf(line), nanos: this.nanosOf(line), timestamp });
    // Trimmed in bulk, because shifting an array for every line of a busy log is slow.
    if (this.seen.length > 2 * REMEMBERED) this.seen = this.seen.slice(-REMEMBERED);
    return { kind: 'line', line };
  }
}
