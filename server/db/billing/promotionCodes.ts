import { sql } from 'kysely';
import { grantedNotice } from '../../domain/billing/paymentNotice';
import type { Db, Tx } from '../core/client';
import { expiryAfter } from './bonuses';
import { grantCredit } from './grants';
import type { CreditGrantRow } from './ledgerTables';
import { tellPayers } from './paymentNotices';
import type { PaymentRow, PromotionCodeRow } from './paymentsTables';

export interface Redeemed {
  code: PromotionCodeRow;
  /** Null for a percentage, which waits for the next payment. */
  grant: CreditGrantRow | null;
}

/**
 * Redeems a code for a team. The code is locked first, so that one for one use is used once however many try. What a code
 * allows a team, it allows all teams together that the account redeemed it for or that have the same owner or saved card.
 * @returns null if the code does not exist, has ended, is used up, or is not for this team: which of them is not told,
 * because codes can be guessed
 */
export const redeem = (
  trx: Tx,
  { code, team_id, user_id }: { code: string; team_id: number; user_id: number },
): Promise<Redeemed | null> => redeemAs(trx, { code: code.trim().toUpperCase(), team_id, user_id });

interface Redeeming {
  code: string;
  team_id: number;
  user_id: number | null;
  /** The team's first payment, for a code that is redeemed with it. */
  payment?: Pick<PaymentRow, 'id' | 'card_fingerprint'>;
}

async function redeemAs(
  trx: Tx,
  { code: named, team_id, user_id, payment }: Redeeming,
): Promise<Redeemed | null> {
  // A statement of its own: the next one sees what others redeemed while this one waited.
  await trx.selectFrom('promotion_codes').select('id').where('code', '=', named).forUpdate().execute();
  const card_fingerprint = payment?.card_fingerprint ?? (await savedCard(trx, team_id));
  const { rows } = await sql<PromotionCodeRow>`
    update promotion_codes c set uses = uses + 1
    where code = ${named} and state = 'active' and welcome = ${payment !== undefined}
      and (max_uses is null or uses < max_uses)
      and (starts_at is null or starts_at <= now()) and (ends_at is null or ends_at > now())
      and (new_teams_days is null or exists (
        select from teams t where t.id = ${team_id} and t.created_at > now() - make_interval(days => c.new_teams_days)))
      and (max_uses_per_team is null or max_uses_per_team > (
        select count(*) from promotion_redemptions r where r.code_id = c.id and (
          r.team_id = ${team_id} or r.user_id = ${user_id} or r.card_fingerprint = ${card_fingerprint}
          or exists (select from memberships o join memberships p on p.user_id = o.user_id
            where o.team_id = r.team_id and o.role = 'owner' and p.team_id = ${team_id} and p.role = 'owner')
          or exists (select from team_cards k
            where k.team_id = r.team_id and k.fingerprint = ${card_fingerprint})
          or exists (select from payments q
            where q.team_id = r.team_id and q.card_fingerprint = ${card_fingerprint}))))
    returning *`.execute(trx);
  const [found] = rows;
  if (!found) return null;
  const grant =
    found.amount_micros === null
      ? null
      : await grantCredit(trx, {
          team_id,
          source: payment ? 'welcome' : 'promotion',
          reason: found.description || `Code ${found.code}`,
          amount_micros: found.amount_micros,
          expires_at: expiryAfter(found.credit_days),
          created_by: user_id,
        });
  await trx
    .insertInto('promotion_redemptions')
    .values({
      code_id: found.id,
      team_id,
      user_id,
      card_fingerprint,
      grant_id: grant?.id ?? null,
      // What the payment brought goes back with it.
      payment_id: grant && payment ? payment.id : null,
    })
    .execute();
  return { code: found, grant };
}

async function savedCard(trx: Tx, team_id: number): Promise<string | null> {
  const card = await trx
    .selectFrom('team_cards')
    .select('fingerprint')
    .where('team_id', '=', team_id)
    .executeTakeFirst();
  return card?.fingerprint ?? null;
}

/** Welcome codes tried for one team. */
const MOST_WELCOMES = 5;

/**
 * Redeems a welcome code with the first money that a team ever pays, whose receipt is stored already: real money keeps away
 * those who register again and again, and the limits of the code apply to accounts, owners and cards as with any other.
 */
export async function redeemWelcome(trx: Tx, payment: PaymentRow): Promise<void> {
  const { team_id, created_by } = payment;
  // Nobody who could be recognized has made it: a deposit of USDC, or an automatic payment.
  if (created_by === null) return;
  const receipts = await trx
    .selectFrom('payment_receipts as r')
    .innerJoin('payments as p', 'p.id', 'r.payment_id')
    .select('r.id')
    .where('p.team_id', '=', team_id)
    .limit(2)
    .execute();
  if (receipts.length !== 1) return;
  const codes = await trx
    .selectFrom('promotion_codes')
    .select('code')
    .where('welcome', '=', true)
    .where('state', '=', 'active')
    .orderBy('id', 'desc')
    .limit(MOST_WELCOMES)
    .execute();
  for (const { code } of codes) {
    const redeemed = await redeemAs(trx, { code, team_id, user_id: created_by, payment });
    if (!redeemed) continue;
    const { grant } = redeemed;
    if (grant)
      await tellPayers(
        trx,
        team_id,
        `granted:${grant.public_id}`,
        grantedNotice(grant.amount_micros, 'It came with your first payment.', grant.expires_at),
      );
    return;
  }
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
