import type { Kysely } from 'kysely';
import {
  eventsById,
  fitsEvent,
  listEvents,
  type EventFilter,
  type ReadEvent,
} from '../../db/activity/events';
import type { Database } from '../../db/core/schema';
import { toEvent } from '../../domain/activity/eventResponse';
import { sse } from './sse';

/** Rows cached: all streams request a burst's rows, though rarely at the same moment. */
const KEPT = 2_000;

/**
 * Reads new events once for all streams of the process. Otherwise, two hundred open pages would query and
 * serialize each event two hundred times.
 */
class EventReader {
  readonly #db: Kysely<Database>;
  readonly #rows = new Map<number, Promise<ReadEvent | undefined>>();
  #wanted: Map<number, (row: ReadEvent | undefined | Promise<never>) => void> | null = null;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  async fitting(filter: EventFilter, ids: readonly number[]): Promise<ReadEvent[]> {
    const rows = await Promise.all(ids.map((id) => this.#row(id)));
    const fitting = rows
      .filter((row) => row !== undefined)
      .filter((row) => fitsEvent(filter, row))
      .sort((a, b) => a.event.id - b.event.id);
    if (fitting.length === 0 || !(filter.texts || filter.without?.texts)) return fitting;
    const range = { ids: fitting.map(({ event }) => event.id) };
    const found = new Set(
      (await listEvents(this.#db, filter, range, ids.length)).map(({ event }) => event.id),
    );
    return fitting.filter(({ event }) => found.has(event.id));
  }

  #row(id: number): Promise<ReadEvent | undefined> {
    const kept = this.#rows.get(id);
    if (kept) return kept;
    const row = new Promise<ReadEvent | undefined>((resolve) => {
      if (!this.#wanted) {
        this.#wanted = new Map();
        setImmediate(() => void this.#read());
      }
      this.#wanted.set(id, resolve);
    });
    this.#rows.set(id, row);
    row.catch(() => this.#rows.delete(id));
    if (this.#rows.size > KEPT) this.#rows.delete(this.#rows.keys().next().value ?? id);
    return row;
  }

  async #read(): Promise<void> {
    const wanted = this.#wanted ?? new Map();
    this.#wanted = null;
    try {
      const rows = await eventsById(this.#db, [...wanted.keys()], 'asc');
      const byId = new Map(rows.map((row) => [row.event.id, row]));
      for (const [id, resolve] of wanted) resolve(byId.get(id));
    } catch (error) {
      for (const resolve of wanted.values()) resolve(Promise.reject(error));
    }
  }
}

const readers = new WeakMap<Kysely<Database>, EventReader>();

export function eventReader(db: Kysely<Database>): EventReader {
  const reader = readers.get(db) ?? new EventReader(db);
  readers.set(db, reader);
  return reader;
}

const texts = new WeakMap<ReadEvent, string>();

/** Returns the event as sent over the wire, serialized once for all recipients. */
export function eventText(row: ReadEvent): string {
  let text = texts.get(row);
  if (text === undefined) texts.set(row, (text = sse({ id: String(row.event.id), data: toEvent(row) })));
  return text;
}
