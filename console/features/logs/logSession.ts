// One log on screen: connects, follows, reconnects, keeps the newest lines and notifies subscribers.
// Free of React. The stream opener and timers are injected, so tests need neither network nor clock.

import { LogFeed } from '../../lib/logs';
import type { ResumeQuery } from '../../lib/logs/resume';
import { LogText, type LogView } from '../../lib/logs/text';
import type { LogStore } from '../../ui/logs/line';
import { type Connection, firstConnection, type Happening, nextConnection } from './logConnection';

export interface LogSessionOptions {
  /** Opens the stream. `fresh`: the last URL was rejected, request a new one. */
  open: (query: ResumeQuery, fresh: boolean, signal: AbortSignal) => Promise<Response>;
  /** Returns why no more lines will follow ("The CVM is stopped."), or null. Called when a stream ends. */
  over: () => string | null;
  /** Whether lines start with Docker timestamps, as for containers but not the serial console. */
  timestamps: boolean;
  /** Maximum number of lines kept; older ones are dropped. */
  capacity?: number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Minimum interval between notifications, in ms. */
  flush_ms?: number;
}

const QUIET_MS = 300;
/** Maximum lines expected in one chunk; a gap marker reports any excess. */
const PER_CHUNK = 16_384;

export class LogSession implements LogStore {
  readonly #options: Required<LogSessionOptions>;
  #feed: LogFeed;
  readonly #text: LogText;
  #view: LogView;
  #connection: Connection = firstConnection;
  #listeners = new Set<() => void>();
  #abort: AbortController | null = null;
  #wake: (() => void) | null = null;
  #flush: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LogSessionOptions) {
    this.#options = { capacity: 1_000_000, sleep: wait, flush_ms: 60, ...options };
    this.#feed = new LogFeed({ timestamps: options.timestamps, capacity: PER_CHUNK });
    this.#text = new LogText({ lines: this.#options.capacity });
    this.#view = this.#text.view();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  getSnapshot = (): LogView => this.#view;
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

  /** Skips the backoff because something improved: the CVM runs again or the tab is visible. */
  wake(): void {
    this.#wake?.();
  }

  clear(): void {
    this.#text.clear();
    this.#publish();
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const now = this.#connection;
      if (now.state === 'reconnecting' || now.state === 'waiting' || now.state === 'ended') {
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
    for (let i = from; i < entries.length; i++) this.#text.add(entries.at(i)!);
    if (this.#connection.state !== 'live' || this.#connection.attempt > 0)
      this.#happened({ kind: 'flowing' });
    this.#flush ??= setTimeout(() => {
      this.#flush = undefined;
      this.#publish();
    }, this.#options.flush_ms);
  }

  #happened(happened: Happening): void {
    this.#connection = nextConnection(this.#connection, happened);
    this.#notify();
  }

  #publish(): void {
    this.#view = this.#text.view();
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

async function sentence(response: Response): Promise<string> {
  try {
    const { detail } = (await response.json()) as { detail?: unknown };
    if (typeof detail === 'string') return detail;
    if (typeof detail === 'object' && detail !== null && 'message' in detail) return String(detail.message);
  } catch {
    // not JSON
  }
  return `The server returned status ${response.status}.`;
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
