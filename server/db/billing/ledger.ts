import { sql } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import { inBurnOrder, type Grant, type LedgerEntry, type LedgerKind } from '../../domain/billing/ledger';
import { openAiCost, openAiCostOf, type OpenAiCost, type OpenAiCostRow } from '../ai/aiCharges';
import type { Db, Tx } from '../core/client';
import { toJson } from '../core/json';

export interface Posting {
  team_id: number;
  kind: LedgerKind;
  /** The booked source, which can be booked once per kind. */
  source_type: string;
  source_id: string;
  description: string;
  effective_at: Date;
  entries: readonly LedgerEntry[];
  /** Internal ID of the transaction it corrects. */
  corrects?: number | null;
}

export interface Posted {
  id: number;
  public_id: string;
}

/**
 * Gives this transaction the right to post for a team; other posters for the team wait. Take it before reading
 * what a posting depends on. Lock several teams in ID order, so that two transactions cannot deadlock.
 */
export async function lockLedger(trx: Tx, team_id: number): Promise<void> {
  await sql`insert into ledger_heads (team_id, seq, hash) values (${team_id}, 0, ledger_genesis(${team_id}))
    on conflict do nothing`.execute(trx);
  await trx
    .selectFrom('ledger_heads')
    .select('seq')
    .where('team_id', '=', team_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/**
 * The only writer of the ledger. Call `lockLedger` first. @returns null if the source is already booked, so
 * repeating a posting changes nothing
 */
export async function post(trx: Tx, { entries, ...posting }: Posting): Promise<Posted | null> {
  const known = await trx
    .selectFrom('ledger_transactions')
    .select('id')
    .where('source_type', '=', posting.source_type)
    .where('source_id', '=', posting.source_id)
    .where('kind', '=', posting.kind)
    .executeTakeFirst();
  if (known) return null;
  return trx
    .insertInto('ledger_transactions')
    .values({ ...posting, public_id: publicId('crt'), entries: toJson(entries) })
    .returning(['id', 'public_id'])
    .executeTakeFirstOrThrow();
}

/** Returns the number of transactions in a team's ledger. */
export async function ledgerLength(db: Db | Tx, team_id: number): Promise<number> {
  const head = await db
    .selectFrom('ledger_heads')
    .select('seq')
    .where('team_id', '=', team_id)
    .executeTakeFirst();
  return head?.seq ?? 0;
}

export interface Balance {
  /** Unused money that the team paid in; negative is debt. */
  prepaid: number;
  /** The sum of remaining credit grants, including expired ones until their expiry is booked. */
  credits: number;
}

/**
 * Returns the posted balance, the post-paid cap and the cost of unposted AI requests as of one moment. CVM
 * usage since the last hourly close is not included.
 */
export async function postedBalance(
  db: Db | Tx,
  team_id: number,
): Promise<Balance & { cap: number; ai: OpenAiCost }> {
  const { rows } = await sql<Balance & { cap: number } & OpenAiCostRow>`
    select t.post_paid_cap_micros as cap,
      coalesce((select amount_micros from ledger_balances where team_id = t.id and account = 'prepaid'), 0) as prepaid,
      coalesce((select amount_micros from ledger_balances where team_id = t.id and account = 'credits'), 0) as credits,
      ${openAiCost}
    from teams t where t.id = ${team_id}`.execute(db);
  const row = rows[0];
  if (!row) return { prepaid: 0, credits: 0, cap: 0, ai: { picos: 0n, expired: [], held: 0 } };
  return { prepaid: row.prepaid, credits: row.credits, cap: row.cap, ai: openAiCostOf(row) };
}

export interface OpenGrant extends Grant {
  id: number;
  created_at: Date;
}

/** Returns the grants with a remainder in order of use, including expired ones. */
export async function openGrants(db: Db | Tx, team_id: number): Promise<OpenGrant[]> {
  const rows = await db
    .selectFrom('credit_grants')
    .select(['id', 'public_id', 'remaining_micros', 'expires_at', 'created_at'])
    .where('team_id', '=', team_id)
    .where('remaining_micros', '>', 0)
    .orderBy('id')
    .execute();
  return inBurnOrder(
    rows.map(({ remaining_micros, ...grant }) => ({ ...grant, remaining: remaining_micros })),
  );
}
