import { formatUsd } from '../../../console/lib/billing/money';
import { bonusOf, bonusTaken } from '../../domain/billing/bonus';
import type { Tx } from '../core/client';
import { grantCredit } from './grants';
import { lockLedger, post } from './ledger';
import type { PaymentRow } from './paymentsTables';

/** Percentage codes the team redeemed before add to the first payment that arrives, in the order of redemption. */
export async function grantBonuses(
  trx: Tx,
  { id: payment_id, team_id }: Pick<PaymentRow, 'id' | 'team_id'>,
  paid: number,
): Promise<void> {
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
    const amount = bonusOf(paid, terms);
    // It waits for a real payment.
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
  }
}

export const expiryAfter = (days: number | null): Date | null =>
  days === null ? null : new Date(Date.now() + days * 24 * 3_600_000);

/**
 * Takes back the share of a payment's bonuses that was returned to the payer, as far as it is not used, and gives it back
 * where the payment itself came back.
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
          ? `Bonus taken back: payment ${payment.reference} was returned`
          : `Bonus given back: payment ${payment.reference} was not returned`,
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

const NOTE = '. Taken back: ';

/** The team sees it with the credit. */
function reasonWith(reason: string, taken: number, reference: string): string {
  const [given = ''] = reason.split(NOTE);
  return taken === 0
    ? given
    : `${given.slice(0, 400)}${NOTE}${formatUsd(taken)}, because ${reference} was returned`;
}
