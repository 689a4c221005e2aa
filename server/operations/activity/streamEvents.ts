import { eventsAfter, listEvents, newestEvent, type EventFilter, type ReadEvent } from '../../db/events';
import { personOf } from '../shared/caller';
import type { Context, Handler } from '../types';
import { eventFilter } from './eventFilter';
import { eventReader, eventText } from './eventReader';
import { EVENT_STREAM, sse, StreamSlots, Wake } from './sse';

const HEARTBEAT_MS = 15_000;
/** The browser connects again by itself; until then it may have lost the right to read. */
const LIFE_MS = 15 * 60_000;
const BATCH = 200;
/** Further back a reader is told of the gap, and reads the list instead. */
const MOST_CAUGHT_UP = 1000;
/** Events of the team that are gone through for those that fit, before the reader is told to read the list. */
const MOST_LOOKED_AT = 20_000;
/** Notices kept for a reader who does not keep up; beyond them it catches up from the table. */
const MOST_PENDING = 1000;

const slots = new StreamSlots(24, 'event streams');

export const streamEvents: Handler<'streamEvents'> = async ({ query, ctx }) => {
  const filter = await eventFilter(ctx, query);
  slots.take(personOf(ctx).id, ctx.signal);
  const last = /^\d{1,15}$/.exec(ctx.headers['last-event-id'] ?? '')?.[0];
  return {
    status: 200,
    content_type: EVENT_STREAM,
    stream: feed(ctx, filter, last === undefined ? null : Number(last)),
  };
};

/**
 * Notices say which rows are new, rows come from the table. What happens here is paced by the reader: between two
 * pulls only numbers pile up, and no more than MOST_PENDING of them.
 */
async function* feed(ctx: Context, filter: EventFilter, since: number | null): AsyncGenerator<string> {
  const wake = new Wake();
  const pending = new Set<number>();
  const sent = new RecentIds(MOST_PENDING * 2);
  // Its notice may still be on its way when the reader is back already.
  if (since !== null) sent.add(since);
  let behind = since !== null;
  let stopped = false;
  const unsubscribe = ctx.events.subscribe(filter.team_id, (notice) => {
    if (notice === 'stopped') stopped = true;
    else if (notice === 'reconnected') behind = true;
    else if (filter.cvm_ids && (notice.cvm_id === null || !filter.cvm_ids.includes(notice.cvm_id))) return;
    else if (pending.size < MOST_PENDING) pending.add(notice.id);
    else behind = true;
    wake.raise();
  });
  // What the person is told comes from all their teams; the page asks for it itself.
  let told = false;
  const unsubscribeTold = ctx.events.onNotification(personOf(ctx).id, () => {
    told = true;
    wake.raise();
  });
  let announced = false;
  const unsubscribeAnnounced = ctx.events.onAnnouncement(() => {
    announced = true;
    wake.raise();
  });
  try {
    const ends = Date.now() + LIFE_MS;
    // Subscribed first, so nothing falls between this number and the first notice.
    let last = since ?? (await newestEvent(ctx.db, filter.team_id));
    yield 'retry: 2000\n: connected\n\n';

    const write = (rows: ReadEvent[]): string => {
      let text = '';
      for (const row of rows) {
        last = Math.max(last, row.event.id);
        pending.delete(row.event.id);
        if (sent.add(row.event.id)) text += eventText(row);
      }
      return text;
    };

    while (!stopped && !ctx.signal.aborted && Date.now() < ends) {
      if (told) {
        told = false;
        yield sse({ event: 'notification', data: {} });
      }
      if (announced) {
        announced = false;
        yield sse({ event: 'announcement', data: {} });
      }
      if (behind) {
        behind = false;
        let count = 0;
        let gap = (await eventsAfter(ctx.db, filter.team_id, last, MOST_LOOKED_AT)) >= MOST_LOOKED_AT;
        while (!gap) {
          const rows = await listEvents(ctx.db, filter, { after: last }, BATCH);
          if (rows.length > 0) yield write(rows);
          count += rows.length;
          if (rows.length < BATCH) break;
          gap = count >= MOST_CAUGHT_UP;
        }
        if (gap) {
          const missed_after = last;
          last = await newestEvent(ctx.db, filter.team_id);
          // What lies in the gap is read from the list: sent now it would come after what is newer.
          for (const id of pending) if (id > missed_after && id <= last) pending.delete(id);
          yield sse({ event: 'gap', id: String(last), data: { missed_after: String(missed_after) } });
        }
      }
      // By number and not "newer than the last": transactions commit in another order than they take numbers.
      while (pending.size > 0 && !behind) {
        const ids = [...pending].slice(0, BATCH);
        for (const id of ids) pending.delete(id);
        const text = write(await eventReader(ctx.db).fitting(filter, ids));
        if (text) yield text;
      }
      if (behind || (await wake.wait(HEARTBEAT_MS, ctx.signal)) || ctx.signal.aborted) continue;
      yield ': \n\n';
    }
  } finally {
    unsubscribe();
    unsubscribeTold();
    unsubscribeAnnounced();
  }
}

/** The latest numbers, so that an event both caught up with and notified is sent once. */
class RecentIds {
  readonly #ids = new Set<number>();
  constructor(readonly most: number) {}

  /** False when it is there already. */
  add(id: number): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > this.most) this.#ids.delete(this.#ids.values().next().value ?? id);
    return true;
  }
}
