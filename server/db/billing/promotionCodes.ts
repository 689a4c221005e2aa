import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';
import { grantCredit } from './grants';
import type { CreditGrantRow } from './ledgerTables';
import { expiryAfter } from './payments';
import type { PromotionCodeRow } from './paymentsTables';

export interface Redeemed {
  code: PromotionCodeRow;
  /** Null for a percentage, which waits for the next payment. */
  grant: CreditGrantRow | null;
}

/**
 * Redeems a code for a team. One conditional update counts it, so that a code for one use is used once however many try.
 * @returns null if the code does not exist, has ended, is used up, or is not for this team: which of them is not told,
 * because codes can be guessed
 */
export async function redeem(
  trx: Tx,
  { code, team_id, user_id }: { code: string; team_id: number; user_id: number },
): Promise<Redeemed | null> {
  const { rows } = await sql<PromotionCodeRow>`
    update promotion_codes c set uses = uses + 1
    where code = ${code.trim().toUpperCase()} and state = 'active'
      and (max_uses is null or uses < max_uses)
      and (starts_at is null or starts_at <= now()) and (ends_at is null or ends_at > now())
      and (new_teams_days is null or exists (
        select from teams t where t.id = ${team_id} and t.created_at > now() - make_interval(days => c.new_teams_days)))
      and (max_uses_per_team is null or max_uses_per_team > (
        select count(*) from promotion_redemptions r where r.code_id = c.id and r.team_id = ${team_id}))
    returning *`.execute(trx);
  const [found] = rows;
  if (!found) return null;
  const grant =
    found.amount_micros === null
      ? null
      : await grantCredit(trx, {
          team_id,
          source: 'promotion',
          reason: found.description || `Code ${found.code}`,
          amount_micros: found.amount_micros,
          expires_at: expiryAfter(found.credit_days),
          created_by: user_id,
        });
  await trx
    .insertInto('promotion_redemptions')
    .values({ code_id: found.id, team_id, user_id, grant_id: grant?.id ?? null })
    .execute();
  return { code: found, grant };
}

/** Returns the percentages that the team's next payment brings. */
export const waitingBonuses = (db: Db, team_id: number, limit: number) =>
  db
    .selectFrom('promotion_redemptions as r')
    .innerJoin('promotion_codes as c', 'c.id', 'r.code_id')
    .select(['c.code', 'c.percent', 'c.cap_micros'])
    .where('r.team_id', '=', team_id)
    .where('r.grant_id', 'is', null)
    .orderBy('r.id')
    .limit(limit)
    .execute();

export const lockPromotionCode = (trx: Tx, id: number): Promise<PromotionCodeRow | undefined> =>
  trx.selectFrom('promotion_codes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
