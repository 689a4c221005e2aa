import { Problem } from '../../domain/core/problem';
import { ownValue } from '../../../console/lib/ownValue';

export const EVENT_STREAM = 'text/event-stream; charset=utf-8';

/**
 * Formats one server-sent event (HTML Living Standard §9.2.6). JSON has no raw line breaks, so `data` is one
 * line.
 */
export function sse(message: { event?: string; id?: string; data: unknown }): string {
  const { event, id, data } = message;
  return `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** A flag that a waiter sleeps on. Raising it again before it is seen has no effect. */
export class Wake {
  #raised = false;
  #resolve: (() => void) | null = null;

  raise(): void {
    this.#raised = true;
    this.#resolve?.();
  }

  /** Waits until the flag is raised (returns true and lowers it), `ms` have passed, or `signal` aborts. */
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

/** Limits the open streams of one kind in this process, per key such as a user. */
export class StreamSlots {
  readonly #taken = new Map<string, number>();

  /** @param bounds with `what` naming the streams, as in "12 of this CVM's log streams are already open" */
  constructor(readonly bounds: Readonly<Record<string, { most: number; what: string }>>) {}

  /**
   * Takes a slot of every bound named, or none. The slots are held until `signal` aborts, which a request's
   * signal always does when the request ends. @throws RATE_LIMITED
   */
  take(of: Readonly<Record<string, number | string>>, signal: AbortSignal): void {
    if (signal.aborted) return;
    const keys = Object.entries(of).map(([bound, id]) => ({ bound, key: `${bound}:${id}` }));
    for (const { bound, key } of keys) {
      const { most, what } = ownValue(this.bounds, bound) ?? { most: 0, what: bound };
      const taken = this.#taken.get(key) ?? 0;
      if (taken >= most)
        throw new Problem('RATE_LIMITED', {
          message: `${taken} ${what} are already open, which is the limit. Close one and try again.`,
          retryAfter: 5,
        });
    }
    for (const { key } of keys) this.#taken.set(key, (this.#taken.get(key) ?? 0) + 1);
    signal.addEventListener('abort', () => keys.forEach(({ key }) => this.#release(key)), { once: true });
  }

  #release(key: string): void {
    const taken = (this.#taken.get(key) ?? 1) - 1;
    if (taken > 0) this.#taken.set(key, taken);
    else this.#taken.delete(key);
  }
}
