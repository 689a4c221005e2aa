import { sql } from 'kysely';
import type { GrantSource, LedgerEntry, LedgerKind } from '../../domain/billing/ledger';
import { publicId } from '../../domain/core/publicId';
import type { Db, Tx } from '../core/client';
import { ledgerLength, lockLedger, post } from './ledger';
import type { CreditGrantRow } from './ledgerTables';

export interface NewGrant {
  team_id: number;
  source: GrantSource;
  /** Shown to the team. */
  reason: string;
  amount_micros: number;
  expires_at: Date | null;
  created_by: number | null;
}

/** Grants credit to a team: its row and its posting. */
export async function grantCredit(trx: Tx, given: NewGrant): Promise<CreditGrantRow> {
  await lockLedger(trx, given.team_id);
  const public_id = publicId('cre');
  const { id } = await trx
    .insertInto('credit_grants')
    .values({ ...given, public_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  await post(trx, {
    team_id: given.team_id,
    kind: 'credit_grant',
    source_type: 'credit_grant',
    source_id: public_id,
    description: `Credit: ${given.reason}`,
    effective_at: new Date(),
    entries: [
      { account: 'promotion', amount: -given.amount_micros },
      { account: 'credits', amount: given.amount_micros, grant: public_id },
    ],
  });
  return trx.selectFrom('credit_grants').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/**
 * Takes back the remainder of a credit, with its team's ledger locked. @returns the booked amount, 0 if none
 */
export async function takeBack(
  trx: Tx,
  grant: Pick<CreditGrantRow, 'id' | 'public_id' | 'team_id'>,
  kind: Extract<LedgerKind, 'credit_expiry' | 'credit_revocation'>,
  description: string,
): Promise<number> {
  await lockLedger(trx, grant.team_id);
  const { remaining_micros, expires_at } = await trx
    .selectFrom('credit_grants')
    .select(['remaining_micros', 'expires_at'])
    .where('id', '=', grant.id)
    .executeTakeFirstOrThrow();
  if (remaining_micros === 0) return 0;
  const posted = await post(trx, {
    team_id: grant.team_id,
    kind,
    source_type: 'credit_grant',
    // A grant that was reopened expires, or is revoked, again.
    source_id: `${grant.public_id}/${kind === 'credit_expiry' ? expires_at?.toISOString() : await ledgerLength(trx, grant.team_id)}`,
    description,
    effective_at: new Date(),
    entries: [
      { account: 'credits', amount: -remaining_micros, grant: grant.public_id },
      { account: 'promotion', amount: remaining_micros },
    ],
  });
  return posted ? remaining_micros : 0;
}

/** Books the expiry of a credit, unless a reversal has given it more time since it was read. */
export async function expireGrant(
  trx: Tx,
  grant: Pick<CreditGrantRow, 'id' | 'public_id' | 'team_id'>,
  now: Date,
): Promise<void> {
  await lockLedger(trx, grant.team_id);
  const { expires_at } = await trx
    .selectFrom('credit_grants')
    .select('expires_at')
    .where('id', '=', grant.id)
    .executeTakeFirstOrThrow();
  if (expires_at !== null && expires_at <= now) await takeBack(trx, grant, 'credit_expiry', 'Credit expired');
}

/** Reversed usage of an expired grant stays usable for this long. */
const REOPENED_MS = 30 * 24 * 3_600_000;

/** Gives time to grants that got a reversal after they expired. */
export async function reopenGrants(trx: Tx, entries: readonly LedgerEntry[]): Promise<void> {
  const refilled = entries.flatMap(({ amount, grant }) => (amount > 0 && grant !== undefined ? [grant] : []));
  if (refilled.length === 0) return;
  const until = new Date(Date.now() + REOPENED_MS);
  await trx
    .updateTable('credit_grants')
    .set({ expires_at: until, expiry_told_at: null })
    .where('public_id', 'in', refilled)
    .where('expires_at', '<', new Date())
    .execute();
}

/** Open credits that expired before `until` and whose earlier usage is fully posted. */
export const expiredGrants = (
  db: Db,
  until: Date,
  limit: number,
): Promise<Pick<CreditGrantRow, 'id' | 'public_id' | 'team_id'>[]> =>
  db
    .selectFrom('credit_grants as g')
    .select(['g.id', 'g.public_id', 'g.team_id'])
    .where('g.remaining_micros', '>', 0)
    .where('g.expires_at', '<=', until)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('usage_meters as m')
            .select('m.cvm_id')
            .whereRef('m.team_id', '=', 'g.team_id')
            .where('m.ended', '=', false)
            .whereRef('m.closed_until', '<', 'g.expires_at'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ai_requests as r')
            .select('r.id')
            .whereRef('r.team_id', '=', 'g.team_id')
            .where('r.is_posted', '=', false)
            .where('r.cost_picos', '>', 0)
            .whereRef('r.created_at', '<', 'g.expires_at'),
        ),
      ),
    )
    .orderBy('g.team_id')
    .limit(limit)
    .execute();

/** Notice period before a credit expires. Only for credits that last twice as long. */
const SOON_DAYS = 7;

/** Records that payers are notified of credits that expire soon, each once. @returns the newly recorded ones */
export async function noteExpiring(
  trx: Tx,
  now: Date,
  limit: number,
): Promise<
  (Pick<CreditGrantRow, 'public_id' | 'team_id' | 'remaining_micros' | 'reason'> & { expires_at: Date })[]
> {
  const { rows } = await sql<
    Pick<CreditGrantRow, 'public_id' | 'team_id' | 'remaining_micros' | 'reason'> & { expires_at: Date }
  >`update credit_grants set expiry_told_at = ${now} where id in (
      select id from credit_grants where remaining_micros > 0 and expiry_told_at is null and expires_at > ${now}
        and expires_at <= ${now}::timestamptz + make_interval(days => ${SOON_DAYS}::int)
        and expires_at > created_at + make_interval(days => ${2 * SOON_DAYS}::int)
      order by expires_at limit ${limit} for update skip locked)
    returning public_id, team_id, remaining_micros, reason, expires_at`.execute(trx);
  return rows;
}

/** Whether the remainder of credit `g` expired, instead of being used up before: the posting of `expireGrant`. */
export const hasExpired = sql<boolean>`exists (
  select from ledger_transactions x where x.source_type = 'credit_grant' and x.kind = 'credit_expiry'
    and x.source_id = g.public_id || '/' || to_char(g.expires_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** Credits with a remainder, in no particular order, then the latest others. */
export const listGrants = (
  db: Db,
  team_id: number,
  limit: number,
): Promise<(CreditGrantRow & { has_expired: boolean })[]> =>
  db
    .selectFrom('credit_grants as g')
    .selectAll('g')
    .select(hasExpired.as('has_expired'))
    .where('team_id', '=', team_id)
    .orderBy((eb) => eb('remaining_micros', '>', 0), 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
