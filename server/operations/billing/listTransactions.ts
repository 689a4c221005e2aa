import { listTransactionRows, type TransactionPlace } from '../../db/billing/transactions';
import { transactionOut } from '../../domain/billing/billingResponse';
import { invalid } from '../core/admin/change';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const listTransactions: Handler<'listTransactions'> = async ({ query, ctx }) => {
  const { limit = 50, cursor, kind } = query;
  const rows = await listTransactionRows(ctx.db, teamOf(ctx).id, {
    kinds: kind ?? [],
    after: cursor === undefined ? undefined : readCursor(cursor),
    limit: limit + 1,
  });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    status: 200,
    body: {
      items: items.map(transactionOut),
      next_cursor: rows.length > limit && last ? `${last.effective_at.getTime()}.${last.id}` : null,
    },
  };
};

function readCursor(cursor: string): TransactionPlace {
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor);
  if (!match) throw invalid('cursor', 'Use next_cursor from the previous page.');
  return { effective_at: new Date(Number(match[1])), id: Number(match[2]) };
}
