// One log on screen: connects, follows, survives breaks, keeps the newest lines, tells its readers.
// No React; what opens the stream and what waits is given to it, so that tests need neither network nor time.

import { LogFeed, type LogEntry } from '../../lib/logs';
import type { ResumeQuery } from '../../lib/logs/resume';
import { type AnsiColour, type AnsiSpan, parseAnsi } from '../../lib/logs/ansi';
import type { Line, LogSnapshot, LogStore, Span, SpanColor } from '../../ui/logs/line';
import { type Connection, firstConnection, type Happening, nextConnection } from './logConnection';

export interface LogSessionOptions {
  /** Opens the stream. `fresh`: the last address was refused, use a new one. */
  open: (query: ResumeQuery, fresh: boolean, signal: AbortSignal) => Promise<Response>;
  /** Why nothing more is to come now ("The CVM is stopped."), or null. Asked when a stream ends. */
  over: () => string | null;
  /** Docker's times before each line: for containers, not for the serial console. */
  timestamps: boolean;
  /** Lines kept; older ones go. */
  capacity?: number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Readers are told at most this often (ms). */
  flush_ms?: number;
}

const QUIET_MS = 300;
/** Most lines one chunk is expected to bring; should one bring more, a gap says so. */
const PER_CHUNK = 16_384;

export class LogSession implements LogStore {
  readonly #options: Required<LogSessionOptions>;
  #feed: LogFeed;
  #lines: Line[] = [];
  #snapshot: LogSnapshot = { lines: [], version: 0 };
  #connection: Connection = firstConnection;
  #listeners = new Set<() => void>();
  #abort: AbortController | null = null;
  #wake: (() => void) | null = null;
  #flush: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LogSessionOptions) {
    this.#options = { capacity: 50_000, sleep: wait, flush_ms: 60, ...options };
    this.#feed = new LogFeed({ timestamps: options.timestamps, capacity: PER_CHUNK });
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  getSnapshot = (): LogSnapshot => this.#snapshot;
  getConnection = (): Connection => this.#connection;

  start(): void {
    if (this.#abort) return;
    this.#abort = new AbortController();
    void this.#run(this.#abort.signal);
  }

  stop(): void {
    this.#abort?.abort();
    this.#abort = null;
    clearTimeout(this.#flush);
    clearTimeout(this.#quiet);
    this.#flush = undefined;
  }

  /** Something changed for the better (the CVM runs again, the tab is looked at): do not wait out the pause. */
  wake(): void {
    this.#wake?.();
  }

  clear(): void {
    this.#lines = [];
    this.#publish();
  }

  toText(): string {
    return this.#lines.map((line) => `${line.ts === undefined ? '' : `${line.ts} `}${line.text}\n`).join('');
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const now = this.#connection;
      if (now.state === 'reconnecting' || now.state === 'ended') {
        await this.#pause(now.state === 'ended' ? Infinity : now.retry_in_ms, signal);
        if (!signal.aborted) this.#happened({ kind: 'retry' });
        continue;
      }
      const happened = await this.#follow(now.state === 'connecting' && now.fresh, signal);
      if (!signal.aborted) this.#happened(happened);
    }
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    const either = AbortSignal.any([signal, done.signal]);
    this.#wake = () => done.abort();
    await this.#options.sleep(ms, either);
    this.#wake = null;
  }

  async #follow(fresh: boolean, signal: AbortSignal): Promise<Happening> {
    const query = this.#feed.connect();
    try {
      const response = await this.#options.open(query, fresh, signal);
      if (!response.ok || response.body === null)
        return {
          kind: 'refused',
          status: response.status,
          message: await sentence(response),
          over: this.#options.over(),
        };
      this.#happened({ kind: 'opened' });
      const reader = response.body.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        this.#take(this.#feed.push(value));
        this.#settleWhenQuiet();
      }
      this.#take(this.#feed.end());
      return { kind: 'closed', over: this.#options.over() };
    } catch {
      clearTimeout(this.#quiet);
      return { kind: 'broke' };
    }
  }

  #settleWhenQuiet(): void {
    clearTimeout(this.#quiet);
    if (this.#feed.holding) this.#quiet = setTimeout(() => this.#take(this.#feed.settle()), QUIET_MS);
  }

  #take(added: number): void {
    if (added === 0) return;
    const { entries } = this.#feed;
    const from = entries.length - Math.min(added, entries.length);
    for (let i = from; i < entries.length; i++) this.#lines.push(toLine(entries.at(i)!));
    // In large steps: cutting the front of an array for each line is slow.
    if (this.#lines.length > this.#options.capacity * 1.2)
      this.#lines = this.#lines.slice(-this.#options.capacity);
    if (this.#connection.state !== 'live' || this.#connection.attempt > 0)
      this.#happened({ kind: 'flowing' });
    this.#flush ??= setTimeout(() => {
      this.#flush = undefined;
      this.#publish();
    }, this.#options.flush_ms);
  }

  #happened(happened: Happening): void {
    this.#connection = nextConnection(this.#connection, happened);
    this.#tell();
  }

  #publish(): void {
    this.#snapshot = { lines: this.#lines, version: this.#snapshot.version + 1 };
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function toLine(entry: LogEntry): Line {
  if (entry.kind === 'gap') {
    const between =
      entry.after && entry.before ? ` between ${clock(entry.after)} and ${clock(entry.before)}` : '';
    return { id: entry.id, channel: '', kind: 'gap', text: `Lines may be missing here${between}` };
  }
  const { id, channel, timestamp: ts, text } = entry;
  const line: Line = { id, channel, kind: 'line', text, ...(ts === null ? {} : { ts }) };
  // oxlint-disable-next-line no-control-regex -- terminal escapes are what is looked for
  if (!/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) return line;
  const { spans } = parseAnsi(text);
  return { ...line, text: spans.map((span) => span.text).join(''), spans: spans.map(toSpan) };
}

const clock = (timestamp: string) => timestamp.slice(11, 19);

const PALETTE: readonly (SpanColor | undefined)[] = [
  'dim',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  undefined,
];

function toSpan({ text, style }: AnsiSpan): Span {
  const color = style.dim ? 'dim' : ofPalette(style.fg);
  return { text, ...(color === undefined ? {} : { color }), ...(style.bold ? { bold: true } : {}) };
}

/** The theme's six hues; finer colours of a terminal would not keep the contrast. */
function ofPalette(colour: AnsiColour | undefined): SpanColor | undefined {
  if (colour === undefined || !('palette' in colour) || colour.palette > 15) return undefined;
  return PALETTE[colour.palette % 8];
}

async function sentence(response: Response): Promise<string> {
  try {
    const { detail } = (await response.json()) as { detail?: unknown };
    if (typeof detail === 'string') return detail;
    if (typeof detail === 'object' && detail !== null && 'message' in detail) return String(detail.message);
  } catch {
    // not JSON
  }
  return `The server answered ${response.status}.`;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined;
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
