import { sql } from 'kysely';
import { ChainCheck, type ChainBreak, type ChainLink } from '../../domain/audit/auditChain';
import type { Db } from '../core/client';

const BATCH_SIZE = 1000;

export interface LedgerReport {
  /** Public ID of the team. */
  name: string;
  slug: string;
  /** Unaltered transactions. */
  transactions: number;
  /** Hash of the last unaltered transaction; 64 hex digits. */
  hash: string;
  broken: ChainBreak | null;
}

/** Verifies every team's ledger from its first transaction, in batches, while the server may keep posting. */
export async function* verifyLedgers(db: Db): AsyncGenerator<LedgerReport> {
  for (let after = 0; ;) {
    const teams = await db
      .selectFrom('teams')
      .select(['id', 'public_id', 'slug'])
      .where('id', '>', after)
      .where(({ exists, or, selectFrom }) =>
        or([
          exists(selectFrom('ledger_heads as h').select('h.team_id').whereRef('h.team_id', '=', 'teams.id')),
          exists(
            selectFrom('ledger_transactions as t').select('t.id').whereRef('t.team_id', '=', 'teams.id'),
          ),
        ]),
      )
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
    for (const { id, public_id, slug } of teams) {
      const check = new ChainCheck(public_id, 'ledger');
      const broken = await walk(db, id, check);
      yield { name: public_id, slug, transactions: check.seq, hash: check.hash.toString('hex'), broken };
    }
    const last = teams.at(-1);
    if (!last || teams.length < BATCH_SIZE) return;
    after = last.id;
  }
}

async function walk(db: Db, team_id: number, check: ChainCheck): Promise<ChainBreak | null> {
  // Read before the transactions: both are written together, so these can only be further ahead.
  const head = await db
    .selectFrom('ledger_heads')
    .select(['seq', 'hash'])
    .where('team_id', '=', team_id)
    .executeTakeFirst();
  for (;;) {
    const links = await batch(db, team_id, check.seq);
    for (const { entries_hold, ...link } of links) {
      const broken =
        check.next(link) ??
        (entries_hold ? null : changed(link.seq, `the entries of transaction ${link.seq} were changed`));
      if (broken) return broken;
      if (link.seq === head?.seq && !link.hash.equals(head.hash))
        return changed(link.seq, `transaction ${link.seq} was replaced`);
    }
    if (links.length < BATCH_SIZE) break;
  }
  if (!head) return changed(check.seq, 'the record of the last transaction was removed');
  if (check.seq < head.seq)
    return {
      seq: check.seq + 1,
      kind: 'truncated',
      message: `the end is cut off: transactions ${check.seq + 1} to ${head.seq} are missing`,
    };
  return null;
}

/** Yields a team's transactions with their hashed contents, in chain order, in batches. */
export async function* ledgerLinks(db: Db, team_id: number): AsyncGenerator<ChainLink[]> {
  for (let after = 0; ;) {
    const links = await batch(db, team_id, after);
    yield links;
    const last = links.at(-1);
    if (!last || links.length < BATCH_SIZE) return;
    after = last.seq;
  }
}

const changed = (seq: number, message: string): ChainBreak => ({ seq, kind: 'changed', message });

/** `entries_hold`: the rows of ledger_entries match those covered by the transaction's hash. */
async function batch(
  db: Db,
  team_id: number,
  after: number,
): Promise<(ChainLink & { entries_hold: boolean })[]> {
  const { rows } = await sql<ChainLink & { entries_hold: boolean }>`
    select t.seq, t.prev_hash, t.hash, ledger_record(t) as record,
      (t.entries = (
        select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('account', e.account, 'amount', e.amount_micros, 'grant', g.public_id))
          order by e.position)
        from ledger_entries e left join credit_grants g on g.id = e.grant_id where e.transaction_id = t.id
      )) is true as entries_hold
    from ledger_transactions t where t.team_id = ${team_id} and t.seq > ${after}
    order by t.seq limit ${BATCH_SIZE}`.execute(db);
  return rows;
}
