import { listPaymentRows } from '../../db/billing/payments';
import { paymentOut } from '../../domain/billing/billingResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { pageOf, readIdCursor } from './idPage';

export const listTopUps: Handler<'listTopUps'> = async ({ query, ctx }) => {
  const { limit = 50, cursor } = query;
  const before = readIdCursor(cursor);
  const rows = await listPaymentRows(ctx.db, teamOf(ctx).id, { before, limit: limit + 1 });
  return { status: 200, body: pageOf(rows, limit, { to: paymentOut, cursor: ({ id }) => id }) };
};
