import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';
import { expiryAfter, notifyGranted } from './bonuses';
import { grantCredit } from './grants';
import type { CreditGrantRow } from './ledgerTables';
import type { PaymentRow, PromotionCodeRow } from './paymentsTables';

export interface Redeemed {
  code: PromotionCodeRow;
  /** Null for a percentage, which waits for the next payment. */
  grant: CreditGrantRow | null;
}

/**
 * Redeems a code for a team. The code is locked first, so that a single-use code is used once however many try.
 * A team's allowance is shared with all teams that the account redeemed it for or that have the same owner or
 * saved card.
 * @returns null if the code does not exist, has ended, is used up, or is not for this team. The reason isn't
 * disclosed, because codes can be guessed
 */
export const redeem = (
  trx: Tx,
  { code, team_id, user_id }: { code: string; team_id: number; user_id: number },
): Promise<Redeemed | null> => redeemAs(trx, { code: code.trim().toUpperCase(), team_id, user_id });

/** Returns the code if this team has used up its redemptions, which its members know anyway; otherwise null. */
export async function usedUpBy(
  trx: Tx,
  { code, team_id }: { code: string; team_id: number },
): Promise<string | null> {
  const { rows } = await sql<{ code: string }>`
    select c.code from promotion_codes c where c.code = ${code.trim().toUpperCase()} and not c.welcome
      and c.max_uses_per_team <=
        (select count(*) from promotion_redemptions r where r.code_id = c.id and r.team_id = ${team_id})`.execute(
    trx,
  );
  return rows[0]?.code ?? null;
}

interface Redeeming {
  code: string;
  team_id: number;
  user_id: number | null;
  /** The team's first payment, for a code redeemed with it. */
  payment?: Pick<PaymentRow, 'id' | 'card_fingerprint'>;
}

async function redeemAs(
  trx: Tx,
  { code: named, team_id, user_id, payment }: Redeeming,
): Promise<Redeemed | null> {
  // A separate statement, so that the next one sees redemptions made while this one waited.
  await trx.selectFrom('promotion_codes').select('id').where('code', '=', named).forUpdate().execute();
  const card_fingerprint = payment?.card_fingerprint ?? (await savedCard(trx, team_id));
  const by = { team_id, user_id, card_fingerprint, welcome: payment !== undefined };
  const { rows } = await sql<PromotionCodeRow>`
    update promotion_codes c set uses = uses + 1
    where code = ${named} and ${isRedeemable(by)} returning *`.execute(trx);
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
      // Bonuses of a payment are reversed with it.
      payment_id: grant && payment ? payment.id : null,
    })
    .execute();
  if (grant)
    await notifyGranted(
      trx,
      grant,
      payment ? 'It came with your first payment.' : `Promotion code ${found.code}.`,
    );
  return { code: found, grant };
}

interface Redeemer {
  team_id: number;
  user_id: number | null;
  card_fingerprint: string | null;
}

/**
 * Redemptions of `promotion_codes c` that count toward a team's allowance. Each part reads an index, because a
 * popular code has very many others.
 */
const ownRedemptions = ({ team_id, user_id, card_fingerprint }: Redeemer) => sql`
  select r.id, r.payment_id from promotion_redemptions r where r.code_id = c.id and r.user_id = ${user_id}
  union select r.id, r.payment_id from promotion_redemptions r
    where r.code_id = c.id and r.card_fingerprint = ${card_fingerprint}
  union select r.id, r.payment_id from promotion_redemptions r where r.code_id = c.id and r.team_id in (
    select ${team_id}::bigint
    union select o.team_id from memberships o join memberships p on p.user_id = o.user_id
      where o.role = 'owner' and p.team_id = ${team_id} and p.role = 'owner'
    union select k.team_id from team_cards k where k.fingerprint = ${card_fingerprint}
    union select q.team_id from payments q where q.card_fingerprint = ${card_fingerprint})`;

/** A condition on `promotion_codes c`: whether this account can redeem the code for this team now. */
export const isRedeemable = ({ welcome, ...by }: Redeemer & { welcome: boolean }) => sql<boolean>`
  (state = 'active' and welcome = ${welcome}
    and (max_uses is null or uses < max_uses)
    and (starts_at is null or starts_at <= now()) and (ends_at is null or ends_at > now())
    and (new_teams_days is null or exists (
      select from teams t where t.id = ${by.team_id} and t.created_at > now() - make_interval(days => c.new_teams_days)))
    and (max_uses_per_team is null or max_uses_per_team > (
      select count(distinct case when c.welcome then coalesce(r.payment_id, -r.id) else r.id end)
      from (${ownRedemptions(by)}) r)))`;

async function savedCard(trx: Db | Tx, team_id: number): Promise<string | null> {
  const card = await trx
    .selectFrom('team_cards')
    .select('fingerprint')
    .where('team_id', '=', team_id)
    .executeTakeFirst();
  return card?.fingerprint ?? null;
}

/**
 * Returns the highest total that a team ever paid with one payment, whether or not it was returned: `own` with
 * this one, `others` with any other. USDC deposits and automatic payments don't count, because they identify no
 * payer.
 */
async function mostPaid(
  db: Db | Tx,
  team_id: number,
  payment_id: number | null,
): Promise<{ own: number; others: number }> {
  const { rows } = await sql<{ own: number | null; others: number | null }>`
    select max(paid) filter (where id = ${payment_id}::bigint) as own,
      max(paid) filter (where id is distinct from ${payment_id}::bigint) as others
    from (select p.id, sum(r.amount_micros)::bigint as paid
      from payments p join payment_receipts r on r.payment_id = p.id
      where p.team_id = ${team_id} and p.driver <> 'usdc' and not p.automatic
      group by p.id) each`.execute(db);
  return { own: rows[0]?.own ?? 0, others: rows[0]?.others ?? 0 };
}

type WelcomeCode = Pick<
  PromotionCodeRow,
  'code' | 'amount_micros' | 'percent' | 'cap_micros' | 'minimum_micros'
>;

/**
 * Returns a team's welcome code: the newest one that it can redeem and whose minimum no earlier payment
 * reached.
 * @param paid the highest earlier payment; micro-dollars
 */
async function welcomeCodeOf(
  db: Db | Tx,
  by: { team_id: number; user_id: number | null; card_fingerprint: string | null },
  paid: number,
): Promise<WelcomeCode | null> {
  const { rows } = await sql<WelcomeCode>`
    select code, amount_micros, percent, cap_micros, minimum_micros from promotion_codes c
    where ${isRedeemable({ ...by, welcome: true })} and minimum_micros > ${paid}
    order by id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Returns the bonus for a team's first payment; null without a welcome credit. */
export async function welcomeOffer(
  db: Db,
  { team_id, user_id }: { team_id: number; user_id: number | null },
): Promise<WelcomeCode | null> {
  const [{ others: paid }, card_fingerprint] = await Promise.all([
    mostPaid(db, team_id, null),
    savedCard(db, team_id),
  ]);
  return welcomeCodeOf(db, { team_id, user_id, card_fingerprint }, paid);
}

/** Welcome codes tried for one payment, each used up by others while it waited. */
const MAX_ATTEMPTS = 5;

/**
 * Redeems a team's welcome code with the first payment that reaches its minimum, whose receipt is already
 * stored. Requiring real money deters repeated registrations, and the code's limits apply to accounts, owners
 * and cards as with any other.
 */
export async function redeemWelcome(trx: Tx, payment: PaymentRow, arrived: number): Promise<void> {
  const { team_id, created_by, driver, automatic } = payment;
  if (created_by === null || driver === 'usdc' || automatic) return;
  const { own, others } = await mostPaid(trx, team_id, payment.id);
  const card_fingerprint = payment.card_fingerprint ?? (await savedCard(trx, team_id));
  const by = { team_id, user_id: created_by, card_fingerprint };
  for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
    const code = await welcomeCodeOf(trx, by, Math.max(own - arrived, others));
    if (code === null || own < (code.minimum_micros ?? 0)) return;
    const redeemed = await redeemAs(trx, { code: code.code, team_id, user_id: created_by, payment });
    if (redeemed) return;
  }
}

/** Returns the percentages that apply to the team's next payment. */
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
