import type { Dispatcher } from 'undici';

/** Bytes of a reply buffered for its reader before its connection is paused. */
const MAX_WAITING = 65_536;
/** Bytes of a reply still read after its reader has stopped, so that its connection can be kept. */
const MAX_REST = 16_384;
const REST_MS = 500;

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

type Part = IteratorResult<Uint8Array, undefined>;
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

interface Waiting<T> {
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
}

interface Options {
  /** For each wait for the other side. */
  timeout_ms: number;
  signal: AbortSignal | undefined;
  /** Returns the error for the reader. */
  failure: (error: unknown, isLate: boolean) => unknown;
}

/**
 * Receives a reply from undici and hands out its body at its reader's pace. There may be hundreds at a time,
 * each with many parts, so a part costs one promise, without its own stream, signal or timer.
 */
export class Reply implements Dispatcher.DispatchHandler, AsyncIterableIterator<Uint8Array, undefined> {
  /** Resolves when the body starts. Rejects with the result of `failure`, or with the signal's reason. */
  readonly begun: Promise<{ status: number; headers: Headers }>;
  readonly #options: Options;
  #beginning: Waiting<{ status: number; headers: Headers }> | null = null;
  #reading: Waiting<Part> | null = null;
  #controller: Dispatcher.DispatchController | null = null;
  #parts: Uint8Array[] = [];
  #size = 0;
  #isComplete = false;
  #failed: { error: unknown } | null = null;
  /** Why the exchange ended early. */
  #aborted: Error | null = null;
  /** Bytes since the reader stopped; null before. */
  #rest: number | null = null;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.begun = new Promise((resolve, reject) => {
      this.#beginning = { resolve, reject };
    });
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#wait();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#aborted) controller.abort(this.#aborted);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // Informational statuses concern the request, and a final one follows.
    if (status < 200) return;
    this.#beginning?.resolve({ status, headers });
    this.#beginning = null;
  }

  onResponseData(controller: Dispatcher.DispatchController, part: Uint8Array): void {
    if (this.#failed) return;
    if (this.#rest !== null) return this.#discard(part.byteLength);
    if (this.#reading) {
      const { resolve } = this.#reading;
      this.#reading = null;
      return resolve({ done: false, value: part });
    }
    this.#parts.push(part);
    this.#size += part.byteLength;
    if (this.#size >= MAX_WAITING) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#failed) return;
    this.#isComplete = true;
    this.#release();
    this.#reading?.resolve(DONE);
    this.#reading = null;
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(this.#options.failure(error, false));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Part> {
    const value = this.#parts.shift();
    if (value) {
      this.#size -= value.byteLength;
      if (this.#size < MAX_WAITING && this.#controller?.paused) this.#controller.resume();
      return Promise.resolve({ done: false, value });
    }
    if (this.#rest !== null) return Promise.resolve(DONE);
    if (this.#failed) return Promise.reject(this.#failed.error as Error);
    if (this.#isComplete) return Promise.resolve(DONE);
    return new Promise((resolve, reject) => {
      this.#reading = { resolve, reject };
      this.#wait();
    });
  }

  /** Ends the reading. A small remainder is still received in the background. */
  return(): Promise<IteratorReturnResult<undefined>> {
    if (this.#rest === null) {
      this.#release();
      const waiting = this.#size;
      this.#parts = [];
      this.#size = 0;
      this.#rest = 0;
      if (!this.#isComplete && !this.#failed) {
        this.#timer = setTimeout(() => this.#abort(new Error('The rest was not read')), REST_MS);
        this.#controller?.resume();
        this.#discard(waiting);
      }
    }
    return Promise.resolve(DONE);
  }

  #discard(bytes: number): void {
    this.#rest = (this.#rest ?? 0) + bytes;
    if (this.#rest > MAX_REST) this.#abort(new Error('The rest was not read'));
  }

  /** Called when a wait for the other side starts. Most are short, so a single timer covers all of them. */
  #wait(): void {
    this.#since = performance.now();
    this.#timer ??= setTimeout(this.#look, this.#options.timeout_ms);
  }

  readonly #look = (): void => {
    this.#timer = undefined;
    if (!this.#beginning && !this.#reading) return;
    const left = this.#since + this.#options.timeout_ms - performance.now();
    if (left >= 1) this.#timer = setTimeout(this.#look, left);
    else this.#abort(new Error('The reply is late'), true);
  };

  readonly #onAbort = (): void => {
    const reason: unknown = this.#options.signal?.reason;
    this.#fail(reason);
    this.#abort(reason instanceof Error ? reason : new Error('The request was aborted', { cause: reason }));
  };

  #abort(reason: Error, isLate = false): void {
    this.#fail(this.#options.failure(reason, isLate));
    this.#aborted = reason;
    this.#controller?.abort(reason);
  }

  #fail(error: unknown): void {
    if (this.#isComplete || this.#failed) return;
    this.#failed = { error };
    this.#parts = [];
    this.#size = 0;
    this.#release();
    (this.#beginning ?? this.#reading)?.reject(error);
    this.#beginning = null;
    this.#reading = null;
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }
}
