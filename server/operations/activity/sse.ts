import { Problem } from '../../domain/problem';

export const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/** One server-sent event (HTML Living Standard §9.2.6). JSON has no raw line break, so `data` is one line. */
export function sse(message: { event?: string; id?: string; data: unknown }): string {
  const { event, id, data } = message;
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** A flag that a sleeper waits for; raising it again before it is seen changes nothing. */
export class Wake {
  #raised = false;
  #resolve: (() => void) | null = null;

  raise(): void {
    this.#raised = true;
    this.#resolve?.();
  }

  /** Until raised (true, and lowered again), `ms` have passed, or `signal` aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#raised && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          this.#resolve = null;
          resolve();
        };
        const timer = setTimeout(done, ms);
        signal.addEventListener('abort', done, { once: true });
        this.#resolve = done;
      });
    }
    const raised = this.#raised;
    this.#raised = false;
    return raised;
  }
}

/** How many streams of a kind one person, or whatever else the number names, may hold open in this process. */
export class StreamSlots {
  readonly #taken = new Map<number, number>();

  constructor(
    readonly most: number,
    readonly what: string,
  ) {}

  /** Taken until `signal` aborts, which a request's does at its end, however it ends. @throws RATE_LIMITED */
  take(of: number, signal: AbortSignal): void {
    if (signal.aborted) return;
    const taken = this.#taken.get(of) ?? 0;
    if (taken >= this.most)
      throw new Problem('RATE_LIMITED', {
        message: `${taken} ${this.what} are open, the most there may be at a time.`,
        retryAfter: 5,
      });
    this.#taken.set(of, taken + 1);
    signal.addEventListener('abort', () => this.#release(of), { once: true });
  }

  #release(of: number): void {
    const taken = (this.#taken.get(of) ?? 1) - 1;
    if (taken > 0) this.#taken.set(of, taken);
    else this.#taken.delete(of);
  }
}
