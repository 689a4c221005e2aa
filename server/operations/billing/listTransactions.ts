import { listTransactionRows, type TransactionPlace } from '../../db/billing/transactions';
import { transactionOut } from '../../domain/billing/billingResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { monthOf } from './month';
import { notACursor, pageOf } from './idPage';

export const listTransactions: Handler<'listTransactions'> = async ({ query, ctx }) => {
  const { limit = 50, cursor, kind, month } = query;
  const rows = await listTransactionRows(ctx.db, teamOf(ctx).id, {
    kinds: kind ?? [],
    period: month === undefined ? undefined : monthOf(month),
    after: cursor === undefined ? undefined : readCursor(cursor),
    limit: limit + 1,
  });
  return {
    status: 200,
    body: pageOf(rows, limit, {
      to: transactionOut,
      cursor: ({ effective_at, id }) => `${effective_at.getTime()}.${id}`,
    }),
  };
};

function readCursor(cursor: string): TransactionPlace {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor);
  if (!match) throw notACursor();
  return { effective_at: new Date(Number(match[1])), id: Number(match[2]) };
}
