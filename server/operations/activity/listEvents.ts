import { listEvents as eventPage } from '../../db/events';
import { toEvent } from '../../domain/wire/event';
import type { Handler } from '../types';
import { idOfCursor, keysetPage } from './cursor';
import { eventFilter } from './eventFilter';

export const listEvents: Handler<'listEvents'> = async ({ query, ctx }) => {
  const { limit = 50, cursor, ...asked } = query;
  const rows = await eventPage(
    ctx.db,
    await eventFilter(ctx, asked),
    { before: idOfCursor(cursor) },
    limit + 1,
  );
  return { status: 200, body: keysetPage(rows, limit, { id: (row) => row.event.id, to: toEvent }) };
};
