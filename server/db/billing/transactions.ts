import type { LedgerKind } from '../../domain/billing/ledger';
import type { Db } from '../core/client';

export interface TransactionPlace {
  effective_at: Date;
  id: number;
}

/** Returns a team's transactions, newest first, after a position in that order. */
export const listTransactionRows = (
  db: Db,
  team_id: number,
  {
    kinds = [],
    period,
    after,
    limit,
  }: {
    kinds?: readonly LedgerKind[];
    /** When they took effect; `end` is excluded. */
    period?: { start: Date; end: Date } | undefined;
    after?: TransactionPlace | undefined;
    limit: number;
  },
) =>
  db
    .selectFrom('ledger_transactions as t')
    .leftJoin('ledger_transactions as c', 'c.id', 't.corrects')
    .select(['t.id', 't.public_id', 't.kind', 't.description', 't.entries', 't.effective_at', 't.booked_at'])
    .select('c.public_id as corrected')
    .where('t.team_id', '=', team_id)
    .$if(kinds.length > 0, (query) => query.where('t.kind', 'in', [...kinds]))
    .$if(period !== undefined, (query) =>
      query.where('t.effective_at', '>=', period!.start).where('t.effective_at', '<', period!.end),
    )
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('t.effective_at', '<', after!.effective_at),
          eb.and([eb('t.effective_at', '=', after!.effective_at), eb('t.id', '<', after!.id)]),
        ]),
      ),
    )
    .orderBy('t.effective_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(limit)
    .execute();

/** Yields all of a team's transactions in chain order, in batches. */
export async function* everyTransaction(db: Db, team_id: number, batch = 1000) {
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('ledger_transactions as t')
      .leftJoin('ledger_transactions as c', 'c.id', 't.corrects')
      .select([
        't.public_id',
        't.kind',
        't.description',
        't.entries',
        't.effective_at',
        't.booked_at',
        't.seq',
      ])
      .select('c.public_id as corrected')
      .where('t.team_id', '=', team_id)
      .where('t.seq', '>', after)
      .orderBy('t.seq')
      .limit(batch)
      .execute();
    yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < batch) return;
    after = last.seq;
  }
}
