import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { formatUsd } from '../../../console/lib/billing/money';
import { bonusOf, bonusTaken } from '../../domain/billing/bonus';
import { grantedNotice } from '../../domain/billing/paymentNotice';
import type { Tx } from '../core/client';
import { grantCredit } from './grants';
import { lockLedger, post } from './ledger';
import type { CreditGrantRow } from './ledgerTables';
import { notifyPayers } from './paymentNotices';
import type { PaymentRow } from './paymentsTables';

/**
 * Grants bonuses to a payment: percentage codes redeemed earlier apply to the first payment that arrives, in
 * the order of redemption. A welcome code applies to all parts of its payment, including later ones.
 *
 * @param payment as it was before
 * @param arrived micro-dollars
 */
export async function grantBonuses(
  trx: Tx,
  { id: payment_id, team_id, received_micros }: Pick<PaymentRow, 'id' | 'team_id' | 'received_micros'>,
  arrived: number,
): Promise<void> {
  const whole = received_micros + arrived;
  await grantToFurtherPart(trx, { payment_id, team_id }, whole);
  const waiting = await trx
    .selectFrom('promotion_redemptions as r')
    .innerJoin('promotion_codes as c', 'c.id', 'r.code_id')
    .select(['r.id', 'r.user_id', 'c.code', 'c.description', 'c.percent', 'c.cap_micros', 'c.credit_days'])
    .select('c.welcome')
    .where('r.team_id', '=', team_id)
    .where('r.grant_id', 'is', null)
    .orderBy('r.id')
    .forUpdate('r')
    .execute();
  for (const { id, user_id, code, description, credit_days, welcome, ...terms } of waiting) {
    const amount = bonusOf(welcome ? whole : arrived, terms);
    // The code waits for a real payment.
    if (amount === 0) continue;
    const grant = await grantCredit(trx, {
      team_id,
      source: welcome ? 'welcome' : 'promotion',
      reason: description || `Code ${code}`,
      amount_micros: amount,
      expires_at: expiryAfter(credit_days),
      created_by: user_id,
    });
    await trx
      .updateTable('promotion_redemptions')
      .set({ grant_id: grant.id, payment_id })
      .where('id', '=', id)
      .execute();
    await notifyGranted(trx, grant, welcome ? 'It came with your first payment.' : `Promotion code ${code}.`);
  }
}

/** Notifies payers of credit from a payment or a code. @param reason as a sentence */
export const notifyGranted = (
  trx: Tx,
  { team_id, public_id, amount_micros, expires_at }: CreditGrantRow,
  reason: string,
): Promise<void> =>
  notifyPayers(trx, team_id, `granted:${public_id}`, grantedNotice(amount_micros, reason, expires_at));

/** Adds a welcome code's percentage for a further part of its payment. */
async function grantToFurtherPart(
  trx: Tx,
  { payment_id, team_id }: { payment_id: number; team_id: number },
  whole: number,
): Promise<void> {
  const granted = await trx
    .selectFrom('promotion_redemptions as r')
    .innerJoin('promotion_codes as c', 'c.id', 'r.code_id')
    .innerJoin('credit_grants as g', 'g.id', 'r.grant_id')
    .select(['r.code_id', 'r.user_id', 'r.card_fingerprint', 'c.percent', 'c.cap_micros'])
    .select(['g.source', 'g.reason', 'g.amount_micros', 'g.expires_at'])
    .where('r.payment_id', '=', payment_id)
    .where('c.welcome', '=', true)
    .where('c.percent', 'is not', null)
    .orderBy('r.id')
    .forUpdate('r')
    .execute();
  const [first] = granted;
  if (!first) return;
  // Reversed bonuses count as granted: they were reversed with money that may arrive again.
  const before = granted.reduce((sum, { amount_micros }) => sum + amount_micros, 0);
  const amount_micros = bonusOf(whole, first) - before;
  if (amount_micros <= 0) return;
  const { code_id, user_id, card_fingerprint, source, reason, expires_at } = first;
  const [given = ''] = reason.split(STORED_NOTE);
  const grant = await grantCredit(trx, {
    team_id,
    source,
    reason: given,
    amount_micros,
    expires_at,
    created_by: user_id,
  });
  await trx
    .insertInto('promotion_redemptions')
    .values({ code_id, team_id, user_id, card_fingerprint, grant_id: grant.id, payment_id })
    .execute();
  await notifyGranted(trx, grant, 'It came with your first payment.');
}

export const expiryAfter = (days: number | null): Date | null =>
  days === null ? null : new Date(Date.now() + days * 24 * 3_600_000);

/**
 * Reverses the share of a payment's bonuses that matches the returned share, as far as it is unused, and
 * restores it if the payment itself comes back.
 *
 * @param returned of `received`; micro-dollars
 * @param source_id what returned the money; one booking for each
 */
export async function alignBonuses(
  trx: Tx,
  payment: Pick<PaymentRow, 'id' | 'team_id' | 'reference'>,
  { returned, received, source_id }: { returned: number; received: number; source_id: string },
): Promise<void> {
  await lockLedger(trx, payment.team_id);
  const bonuses = await trx
    .selectFrom('promotion_redemptions as r')
    .innerJoin('credit_grants as g', 'g.id', 'r.grant_id')
    .select(['r.id', 'r.taken_micros', 'g.id as grant_id', 'g.public_id', 'g.reason'])
    .select(['g.amount_micros', 'g.remaining_micros', 'g.expires_at'])
    .where('r.payment_id', '=', payment.id)
    .orderBy('r.id')
    .forUpdate('r')
    .execute();
  for (const bonus of bonuses) {
    const taken = bonusTaken(bonus, { returned, received }, new Date());
    if (taken === 0) continue;
    const posted = await post(trx, {
      team_id: payment.team_id,
      kind: taken > 0 ? 'credit_revocation' : 'credit_grant',
      source_type: 'bonus',
      source_id: `${bonus.id}/${source_id}`,
      description:
        taken > 0
          ? `Bonus reversed: payment ${payment.reference} was returned`
          : `Bonus restored: payment ${payment.reference} was not returned`,
      effective_at: new Date(),
      entries: [
        { account: 'credits', amount: -taken, grant: bonus.public_id },
        { account: 'promotion', amount: taken },
      ],
    });
    if (!posted) continue;
    const taken_micros = bonus.taken_micros + taken;
    await trx.updateTable('promotion_redemptions').set({ taken_micros }).where('id', '=', bonus.id).execute();
    await trx
      .updateTable('credit_grants')
      .set({ reason: reasonWith(bonus.reason, taken_micros, payment.reference) })
      .where('id', '=', bonus.grant_id)
      .execute();
  }
}

const NOTE = '. Reversed: ';
/** The note as stored, also in its earlier wording. */
const STORED_NOTE = /\. (?:Reversed|Taken back): /;

/** Shown to the team with the credit. */
function reasonWith(reason: string, taken: number, reference: string): string {
  const [given = ''] = reason.split(STORED_NOTE);
  return taken === 0
    ? given
    : `${cutWhole(given, 400)}${NOTE}${formatUsd(taken)}, because ${reference} was returned`;
}
