import { searchEvents } from '../../db/activity/eventSearch';
import { toEvent } from '../../domain/activity/eventResponse';
import type { Handler } from '../types';
import { cursorOf, idOfCursor } from './cursor';
import { eventFilter } from './eventFilter';

export const listEvents: Handler<'listEvents'> = async ({ query, ctx }) => {
  const { limit = 50, cursor, newest, ...params } = query;
  const filter = await eventFilter(ctx, params);
  const before = idOfCursor(cursor) ?? (newest === undefined ? undefined : Number(newest) + 1);
  const { rows, next } = await searchEvents(ctx.db, filter, before, limit);
  return {
    status: 200,
    body: {
      data: rows.map(toEvent),
      pagination: {
        has_more: next !== null,
        next_cursor: next === null ? null : cursorOf(next),
        // Counting would take a scan.
        total: null,
      },
    },
  };
};
