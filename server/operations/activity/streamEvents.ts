import {
  eventsAfter,
  hasRecentEvent,
  listEvents,
  newestEvent,
  type EventFilter,
  type ReadEvent,
} from '../../db/activity/events';
import { userOf } from '../core/caller';
import type { Context, Handler } from '../types';
import { eventFilter } from './eventFilter';
import { eventReader, eventText } from './eventReader';
import { EVENT_STREAM, sse, StreamSlots, Wake } from './sse';

const HEARTBEAT_MS = 15_000;
/** The browser reconnects automatically; a user who has lost access can't. */
const LIFE_MS = 15 * 60_000;
const BATCH = 200;
/** A reader further behind than this is sent a gap notice and reads the list instead. */
const MAX_CATCH_UP = 1000;
/** Team events searched for matches before the reader is referred to the list. */
const MAX_SEARCHED = 20_000;
/** Maximum transaction duration in milliseconds: events carry their transaction's start time. */
const COMMIT_MS = 3_000;
/** Notices kept for a slow reader; beyond this it catches up from the table. */
const MAX_PENDING = 1000;

/** Open streams per process. Every console tab holds one. */
const slots = new StreamSlots({
  user: { most: 24, what: 'of your event streams' },
  team: { most: 500, what: "of this team's event streams" },
});

export const streamEvents: Handler<'streamEvents'> = async ({ query, ctx }) => {
  const filter = await eventFilter(ctx, query);
  slots.take({ user: userOf(ctx).id, team: filter.team_id }, ctx.signal);
  const last = /^\d{1,15}$/.exec(ctx.headers['last-event-id'] ?? '')?.[0];
  return {
    status: 200,
    content_type: EVENT_STREAM,
    stream: feed(ctx, filter, last === undefined ? null : Number(last), query.recent_ms ?? 0),
  };
};

/**
 * Notices say which rows are new; the rows come from the table. The reader sets the pace: between two pulls
 * only ids accumulate, up to MAX_PENDING of them.
 */
async function* feed(
  ctx: Context,
  filter: EventFilter,
  since: number | null,
  recent_ms: number,
): AsyncGenerator<string> {
  const wake = new Wake();
  const pending = new Set<number>();
  const sent = new RecentIds(MAX_PENDING * 2);
  // Its notice may still be in flight when the reader has already reconnected.
  if (since !== null) sent.add(since);
  let behind = since !== null;
  let stopped = false;
  const unsubscribe = ctx.events.subscribe(filter.team_id, (notice) => {
    if (notice === 'stopped') stopped = true;
    else if (notice === 'reconnected') behind = true;
    else if (filter.cvm_ids && (notice.cvm_id === null || !filter.cvm_ids.includes(notice.cvm_id))) return;
    else if (pending.size < MAX_PENDING) pending.add(notice.id);
    else behind = true;
    wake.raise();
  });
  // The user's notifications come from all their teams; the page fetches them separately.
  let notified = false;
  const unsubscribeNotified = ctx.events.onNotification(userOf(ctx).id, () => {
    notified = true;
    wake.raise();
  });
  let announced = false;
  const unsubscribeAnnounced = ctx.events.onAnnouncement(() => {
    announced = true;
    wake.raise();
  });
  try {
    const ends = Date.now() + LIFE_MS;
    // Subscribe first, so that nothing is missed between this id and the first notice.
    let last = since ?? (await newestEvent(ctx.db, filter.team_id));
    // Queried before the reader is connected: later events are sent and are no gap.
    const missed =
      since === null && recent_ms > 0 && (await hasRecentEvent(ctx.db, filter, recent_ms + COMMIT_MS));
    // The ID lets a reader resume after being cut off before its first event.
    yield `retry: 2000\nid: ${last}\n: connected\n\n`;
    if (missed) yield sse({ event: 'gap', id: String(last), data: {} });

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
      if (notified) {
        notified = false;
        yield sse({ event: 'notification', data: {} });
      }
      if (announced) {
        announced = false;
        yield sse({ event: 'announcement', data: {} });
      }
      if (behind) {
        behind = false;
        let count = 0;
        let gap = (await eventsAfter(ctx.db, filter.team_id, last, MAX_SEARCHED)) >= MAX_SEARCHED;
        while (!gap) {
          const rows = await listEvents(ctx.db, filter, { after: last }, BATCH);
          if (rows.length > 0) yield write(rows);
          count += rows.length;
          if (rows.length < BATCH) break;
          gap = count >= MAX_CATCH_UP;
        }
        if (gap) {
          const missed_after = last;
          last = await newestEvent(ctx.db, filter.team_id);
          // Events in the gap are read from the list; sent now they would arrive after newer ones.
          for (const id of pending) if (id > missed_after && id <= last) pending.delete(id);
          yield sse({ event: 'gap', id: String(last), data: { missed_after: String(missed_after) } });
        }
      }
      // Compared by id rather than "newer than the last": transactions commit in a different order than they
      // take ids.
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
    unsubscribeNotified();
    unsubscribeAnnounced();
  }
}

/** The most recent ids, so that an event both caught up on and notified is sent only once. */
class RecentIds {
  readonly #ids = new Set<number>();
  constructor(readonly most: number) {}

  /** Returns false if it is already there. */
  add(id: number): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    if (this.#ids.size > this.most) this.#ids.delete(this.#ids.values().next().value ?? id);
    return true;
  }
}
