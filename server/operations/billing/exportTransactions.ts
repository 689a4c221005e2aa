import { everyTransaction } from '../../db/billing/transactions';
import type { Db } from '../../db/core/client';
import { transactionOut } from '../../domain/billing/billingResponse';
import { csvLine } from '../../domain/core/csv';
import { teamOf } from '../core/caller';
import { attachment } from '../metrics/attachment';
import type { Handler } from '../types';

const COLUMNS = [
  'id',
  'kind',
  'description',
  'amount',
  'prepaid',
  'credits',
  'effective_at',
  'booked_at',
  'corrects',
] as const;

export const exportTransactions: Handler<'exportTransactions'> = async ({ ctx }) => {
  const { id, slug } = teamOf(ctx);
  const day = new Date().toISOString().slice(0, 10);
  return attachment(`${slug}-transactions-${day}`, linesOf(ctx.db, id));
};

async function* linesOf(db: Db, team_id: number): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const rows of everyTransaction(db, team_id)) {
    const lines = rows.map(transactionOut).map((row) => csvLine(COLUMNS.map((name) => row[name])));
    if (lines.length > 0) yield lines.join('');
  }
}
