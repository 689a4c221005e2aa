import { ledgerLinks } from '../../db/billing/ledgerVerify';
import { everyTransaction } from '../../db/billing/transactions';
import type { Db } from '../../db/core/client';
import { transactionOut } from '../../domain/billing/billingResponse';
import { csvLine } from '../../../console/lib/texts/csv';
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

export const exportTransactions: Handler<'exportTransactions'> = async ({ query, ctx }) => {
  const { id, slug, public_id } = teamOf(ctx);
  const day = new Date().toISOString().slice(0, 10);
  const name = `${slug}-transactions-${day}`;
  return query.format === 'jsonl'
    ? attachment(name, jsonl(ctx.db, id, public_id), {
        extension: 'jsonl',
        type: 'application/x-ndjson; charset=utf-8',
      })
    : attachment(name, linesOf(ctx.db, id));
};

/** Each line includes the hashed text: `teehouse verify --file` needs nothing else. */
async function* jsonl(db: Db, team_id: number, chain: string): AsyncGenerator<string> {
  for await (const links of ledgerLinks(db, team_id)) {
    const lines = links.map(({ seq, prev_hash, hash, record }) =>
      JSON.stringify({
        chain_kind: 'ledger',
        chain,
        seq,
        prev_hash: prev_hash.toString('hex'),
        hash: hash.toString('hex'),
        record,
      }),
    );
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
  }
}

async function* linesOf(db: Db, team_id: number): AsyncGenerator<string> {
  yield csvLine(COLUMNS);
  for await (const rows of everyTransaction(db, team_id)) {
    const lines = rows.map(transactionOut).map((row) => csvLine(COLUMNS.map((name) => row[name])));
    if (lines.length > 0) yield lines.join('');
  }
}
