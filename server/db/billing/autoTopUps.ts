import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '../core/client';
import { resolveCardExpiry } from './paymentNotices';
import { insertPayment } from './payments';
import {
  waitsForPayerSql,
  type AutoTopUpsTable,
  type PaymentRow,
  type TeamCardsTable,
} from './paymentsTables';

export type AutoTopUpRow = Selectable<AutoTopUpsTable>;
export type TeamCardRow = Selectable<TeamCardsTable>;

export const cardOfTeam = (db: Db | Tx, team_id: number): Promise<TeamCardRow | undefined> =>
  db.selectFrom('team_cards').selectAll().where('team_id', '=', team_id).executeTakeFirst();

export const autoTopUpOf = (db: Db | Tx, team_id: number): Promise<AutoTopUpRow | undefined> =>
  db.selectFrom('auto_top_ups').selectAll().where('team_id', '=', team_id).executeTakeFirst();

export async function teamOfCustomer(db: Db | Tx, customer_id: string): Promise<number | null> {
  const row = await db
    .selectFrom('stripe_customers')
    .select('team_id')
    .where('customer_id', '=', customer_id)
    .executeTakeFirst();
  return row?.team_id ?? null;
}

/**
 * Saves a team's card in place of the previous one. The consent stays while the same card is only used again.
 * @returns the previous card's ID, which may be the same; null without one
 */
export async function keepCard(
  trx: Tx,
  {
    team_id,
    ...card
  }: Pick<TeamCardRow, 'team_id' | 'card_id' | 'brand' | 'last4' | 'exp_month' | 'exp_year' | 'fingerprint'>,
  agreed: Pick<TeamCardRow, 'consent' | 'consented_by' | 'consented_at'> | null,
): Promise<string | null> {
  const before = await trx
    .selectFrom('team_cards')
    .select(['card_id', 'exp_month', 'exp_year'])
    .where('team_id', '=', team_id)
    .forUpdate()
    .executeTakeFirst();
  const none = { consent: null, consented_by: null, consented_at: null };
  const kept = agreed ?? (before?.card_id === card.card_id ? {} : none);
  await trx
    .insertInto('team_cards')
    .values({ team_id, ...card, ...none, ...kept })
    .onConflict((conflict) =>
      conflict.column('team_id').doUpdateSet({ ...card, ...kept, created_at: new Date() }),
    )
    .execute();
  const isSame =
    before?.card_id === card.card_id &&
    before.exp_month === card.exp_month &&
    before.exp_year === card.exp_year;
  if (before && !isSame) await resolveCardExpiry(trx, team_id, new Date());
  return before?.card_id ?? null;
}

/**
 * Forgets a card; without one, nothing is charged automatically. @returns the team that had this card, if any
 */
export async function forgetCard(
  trx: Tx,
  card_id: string,
  stopped_reason: string | null,
): Promise<number | null> {
  const gone = await trx
    .deleteFrom('team_cards')
    .where('card_id', '=', card_id)
    .returning('team_id')
    .executeTakeFirst();
  if (!gone) return null;
  await trx
    .updateTable('auto_top_ups')
    .set({ enabled: false, stopped_reason, updated_at: new Date() })
    .where('team_id', '=', gone.team_id)
    .where('enabled', '=', true)
    .execute();
  await resolveCardExpiry(trx, gone.team_id, new Date());
  return gone.team_id;
}

/** Turns automatic payments on or off, with the consent; earlier declines are cleared. */
export const setAutoTopUp = (
  trx: Tx,
  row: Pick<
    AutoTopUpRow,
    'team_id' | 'enabled' | 'amount_micros' | 'threshold_micros' | 'consent' | 'consented_by' | 'consented_at'
  >,
) => {
  const { team_id, ...given } = row;
  const fresh = { ...given, declines: 0, stopped_reason: null, updated_at: new Date() };
  return trx
    .insertInto('auto_top_ups')
    .values({ team_id, ...fresh })
    .onConflict((conflict) => conflict.column('team_id').doUpdateSet(fresh))
    .execute();
};

export const changeAutoTopUp = (
  trx: Tx,
  team_id: number,
  change: Partial<Pick<AutoTopUpRow, 'enabled' | 'declines' | 'stopped_reason'>>,
) =>
  trx
    .updateTable('auto_top_ups')
    .set({ ...change, updated_at: new Date() })
    .where('team_id', '=', team_id)
    .execute();

/** Returns teams whose card may be charged now, with IDs above `after`, ordered by ID. */
export async function chargeableTeams(
  db: Db,
  { after, limit, attempted_before }: { after: number; limit: number; attempted_before: Date },
): Promise<Pick<AutoTopUpRow, 'team_id' | 'amount_micros' | 'threshold_micros'>[]> {
  const { rows } = await sql<Pick<AutoTopUpRow, 'team_id' | 'amount_micros' | 'threshold_micros'>>`
    select a.team_id, a.amount_micros, a.threshold_micros
    from auto_top_ups a join team_cards c on c.team_id = a.team_id join teams t on t.id = a.team_id and t.deleted_at is null
    where a.enabled and a.team_id > ${after} and (a.attempted_at is null or a.attempted_at <= ${attempted_before})
      and not exists (select 1 from payments p where p.team_id = a.team_id and p.automatic and p.state = 'pending')
    order by a.team_id limit ${limit}`.execute(db);
  return rows;
}

/** Returns the reference of an automatic payment that waits for a payer's confirmation; null for none. */
export async function waitingAutoPayment(db: Db | Tx, team_id: number): Promise<string | null> {
  const found = await db
    .selectFrom('payments')
    .select('reference')
    .where('team_id', '=', team_id)
    .where('automatic', '=', true)
    .where(waitsForPayerSql('payments'))
    .executeTakeFirst();
  return found?.reference ?? null;
}

/**
 * Claims this hour's attempt and writes its payment. The claim stays, regardless of the payment's outcome.
 * @returns null if another process was faster, or automatic payments were turned off
 */
export async function claimAttempt(
  trx: Tx,
  team_id: number,
  { now, attempted_before }: { now: Date; attempted_before: Date },
): Promise<PaymentRow | null> {
  const claimed = await trx
    .updateTable('auto_top_ups')
    .set({ attempted_at: now })
    .where('team_id', '=', team_id)
    .where('enabled', '=', true)
    .where((eb) => eb.or([eb('attempted_at', 'is', null), eb('attempted_at', '<=', attempted_before)]))
    .returning(['amount_micros', 'consented_by'])
    .executeTakeFirst();
  if (!claimed) return null;
  return insertPayment(trx, {
    team_id,
    driver: 'stripe',
    automatic: true,
    amount_micros: claimed.amount_micros,
    created_by: claimed.consented_by,
  });
}

/**
 * Returns automatic payments whose charge was requested and has no outcome yet: the process died, Stripe was
 * down, or it is still processing. Each is retried once its waiting time has doubled, after six hours at the
 * latest.
 */
export const unresolvedCharges = (db: Db, now: Date, limit: number): Promise<PaymentRow[]> =>
  db
    .selectFrom('payments')
    .selectAll()
    .where('automatic', '=', true)
    .where('state', '=', 'pending')
    .where('reason', 'is', null)
    .where(sql<boolean>`updated_at + least(updated_at - created_at, interval '6 hours') <= ${now}`)
    .orderBy('updated_at')
    .limit(limit)
    .execute();

/** Records that a payment was looked up and still has no outcome. */
export const noteLookUp = (db: Db, id: number, now: Date) =>
  db
    .updateTable('payments')
    .set({ updated_at: now })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();

/**
 * Returns the card for an automatic payment that was started; null if its team has withdrawn consent, or was
 * deleted.
 */
export async function agreedCard(
  db: Db,
  { team_id, amount_micros }: PaymentRow,
): Promise<TeamCardRow | null> {
  const [agreed, card] = await Promise.all([
    autoTopUpOf(db, team_id),
    db
      .selectFrom('team_cards as c')
      .innerJoin('teams as t', 't.id', 'c.team_id')
      .selectAll('c')
      .where('c.team_id', '=', team_id)
      .where('t.deleted_at', 'is', null)
      .executeTakeFirst(),
  ]);
  return agreed?.enabled && agreed.amount_micros === amount_micros ? (card ?? null) : null;
}

/** Returns cards that deleted teams had saved, those never tried first. */
export const cardsOfDeletedTeams = (db: Db, now: Date, limit: number): Promise<TeamCardRow[]> =>
  db
    .selectFrom('team_cards as c')
    .innerJoin('teams as t', 't.id', 'c.team_id')
    .selectAll('c')
    .where('t.deleted_at', 'is not', null)
    .where((eb) => eb.or([eb('c.remove_after', 'is', null), eb('c.remove_after', '<=', now)]))
    .orderBy('c.remove_after', (order) => order.asc().nullsFirst())
    .orderBy('c.team_id')
    .limit(limit)
    .execute();

export const removeCardAfter = (db: Db, card_id: string, remove_after: Date) =>
  db.updateTable('team_cards').set({ remove_after }).where('card_id', '=', card_id).execute();
