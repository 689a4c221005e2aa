import { listOrderRows } from '../../../db/billing/orders/orderLists';
import { orderOut } from '../../../domain/billing/orders/orderResponse';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { pageOf, readIdCursor } from '../idPage';

export const listOrders: Handler<'listOrders'> = async ({ query, ctx }) => {
  const { limit = 50, cursor } = query;
  const now = new Date();
  const rows = await listOrderRows(ctx.db, teamOf(ctx).id, {
    before: readIdCursor(cursor),
    limit: limit + 1,
  });
  return {
    status: 200,
    body: pageOf(rows, limit, { to: (row) => orderOut(row, now), cursor: ({ id }) => id }),
  };
};
