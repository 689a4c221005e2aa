import { SAVE_CARD_CONSENT } from '../../../console/lib/billing/consent';
import { insertPayment, openPayments } from '../../db/billing/payments';
import type { PaymentRow } from '../../db/billing/paymentsTables';
import type { Tx } from '../../db/core/client';
import { Problem } from '../../domain/core/problem';
import { invalid } from '../core/invalid';
import { userOf } from '../core/caller';
import type { Context } from '../types';

/** Micro-dollars. */
const MAX_BY_CARD = 10_000_000_000;
/** Maximum pending payments per team. */
const MAX_OPEN = 20;

interface Start {
  team_id: number;
  driver: PaymentRow['driver'];
  amount_micros: number;
  save_card: boolean;
}

/** Checks that the driver supports the amount. `driver` and `amount` name the request's fields. */
export function checkDriver(
  ctx: Context,
  { driver, amount_micros }: Pick<Start, 'driver' | 'amount_micros'>,
  fields: { driver: string; amount: string } = { driver: 'driver', amount: 'amount' },
): void {
  if (driver !== 'stripe') return;
  if (!ctx.cards) throw invalid(fields.driver, "This server doesn't accept cards. Pay by bank transfer.");
  if (amount_micros > MAX_BY_CARD)
    throw invalid(fields.amount, 'Card payments are limited to $10,000. Pay by bank transfer.');
}

const savesCard = ({ driver, save_card }: Pick<Start, 'driver' | 'save_card'>) =>
  driver === 'stripe' && save_card;

/** Starts a payment of a locked team. @throws CONFLICT if too many are pending */
export async function startPayment(
  ctx: Context,
  trx: Tx,
  { team_id, driver, amount_micros, save_card }: Start,
): Promise<PaymentRow> {
  if ((await openPayments(trx, team_id)) >= MAX_OPEN)
    throw new Problem('CONFLICT', {
      message: `The team has reached the limit of ${MAX_OPEN} pending payments.`,
      suggestions: ['Cancel one that you no longer need.'],
    });
  return insertPayment(trx, {
    team_id,
    driver,
    amount_micros,
    saves_card: savesCard({ driver, save_card }),
    card_consent: savesCard({ driver, save_card }) ? SAVE_CARD_CONSENT : null,
    created_by: userOf(ctx).id,
  });
}
