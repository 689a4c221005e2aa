// The log viewer's model: converts bytes to lines and gap markers across any number of connections.
//
//   const feed = new LogFeed({ timestamps: true });
//   connect(feed.connect()) → feed.push(chunk)… → feed.settle() when idle → feed.end()
//
// After an interruption, call `connect` again and use the query it returns.

import { stripAnsi } from './logs/ansi';
import { RingBuffer } from './logs/buffer';
import { type LogChannel, LogParser, type LogParserOptions } from './logs/parse';
import { Resume, type ResumeQuery, type Resumed } from './logs/resume';

export { parseAnsi, stripAnsi } from './logs/ansi';
export { RingBuffer } from './logs/buffer';
export {
  LogParser,
  type LogParserOptions,
  MAX_LINE_LENGTH,
  parseTimestamp,
  timestampNanos,
} from './logs/parse';
export { type ResumeQuery } from './logs/resume';

export type LogEntry =
  | {
      kind: 'line';
      /** Increases for the life of the feed; a stable key and anchor. */
      id: number;
      channel: LogChannel;
      timestamp: string | null;
      /** With ANSI escapes; see `parseAnsi` and `stripAnsi`. */
      text: string;
    }
  /** Lines may be missing here: the log couldn't be joined after an interruption. */
  | { kind: 'gap'; id: number; after: string | null; before: string | null };

const DEFAULT_LOG_CAPACITY = 100_000;

export class LogFeed {
  readonly entries: RingBuffer<LogEntry>;
  private readonly options: LogParserOptions;
  private readonly resume = new Resume();
  private parser: LogParser;
  private nextId = 0;
  private lastTimestamp: string | null = null;

  constructor(options: LogParserOptions & { capacity?: number | undefined } = {}) {
    this.options = options;
    this.entries = new RingBuffer(options.capacity ?? DEFAULT_LOG_CAPACITY);
    this.parser = new LogParser(options);
  }

  /** Call before each connection. Drops an incomplete last line, because the replay repeats it. */
  connect(): ResumeQuery {
    this.parser = new LogParser(this.options);
    return this.resume.begin();
  }

  /** Returns how many entries were added. */
  push(chunk: Uint8Array | string): number {
    let added = 0;
    for (const line of this.parser.push(chunk)) added += this.add(this.resume.accept(line));
    return added;
  }

  /** True while replayed lines wait for `settle` (only logs without timestamps). */
  get holding(): boolean {
    return this.resume.holding;
  }

  /** Call when the stream has been idle for about 300 ms. Returns how many entries were added. */
  settle(): number {
    return this.add(this.resume.settle());
  }

  /** Call when the server ended the stream, so an unfinished line is complete. */
  end(): number {
    let added = 0;
    for (const line of this.parser.end()) added += this.add(this.resume.accept(line));
    this.parser = new LogParser(this.options);
    return added + this.settle();
  }

  /** Plain text for a download: one line per entry, with its timestamp if known. */
  toText(): string {
    const lines = this.entries.toArray().map((entry) => {
      if (entry.kind === 'gap') return '--- lines may be missing here ---';
      const text = stripAnsi(entry.text);
      return entry.timestamp === null ? text : `${entry.timestamp} ${text}`;
    });
    return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  }

  private add(resumed: readonly Resumed[]): number {
    resumed.forEach((item, index) => {
      const id = this.nextId++;
      if (item.kind === 'gap') {
        const next = resumed[index + 1];
        const before = next?.kind === 'line' ? next.line.timestamp : null;
        this.entries.push({ kind: 'gap', id, after: this.lastTimestamp, before });
      } else {
        this.lastTimestamp = item.line.timestamp ?? this.lastTimestamp;
        this.entries.push({ kind: 'line', id, ...item.line });
      }
    });
    return resumed.length;
  }
}
