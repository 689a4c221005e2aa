import { endsWithin } from '../../../console/lib/endsWithin';

/** How long a drain waits for calls in flight: some hosts take minutes to answer, or never do. */
const CLOSE_MS = 5_000;

interface Closable {
  close(): Promise<void>;
}

/**
 * One live driver per row, so that all callers share the peer's connection pool and its limit on concurrent calls.
 * When the result of `keyOf` changes, a new driver is created and the old one closes once its calls have ended.
 */
export class DriverCache<Row extends { id: number }, Driver extends Closable> {
  readonly #drivers = new Map<number, { key: string; driver: Driver }>();
  readonly #closing = new Set<Promise<void>>();
  readonly #keyOf: (row: Row) => string;
  readonly #make: (row: Row) => Driver;
  readonly #close_ms: number;

  constructor(keyOf: (row: Row) => string, make: (row: Row) => Driver, close_ms = CLOSE_MS) {
    this.#keyOf = keyOf;
    this.#make = make;
    this.#close_ms = close_ms;
  }

  get(row: Row): Driver {
    const key = this.#keyOf(row);
    const entry = this.#drivers.get(row.id);
    if (entry?.key === key) return entry.driver;
    const driver = this.#make(row);
    this.drop(row.id);
    this.#drivers.set(row.id, { key, driver });
    return driver;
  }

  drop(id: number): void {
    const entry = this.#drivers.get(id);
    if (entry === undefined) return;
    this.#drivers.delete(id);
    // Closing waits for calls in flight; only a drain of the whole process waits for that, for a while.
    const done: Promise<void> = entry.driver.close().finally(() => this.#closing.delete(done));
    this.#closing.add(done);
  }

  async close(): Promise<void> {
    for (const id of this.#drivers.keys()) this.drop(id);
    await endsWithin(Promise.all(this.#closing), this.#close_ms);
  }
}
