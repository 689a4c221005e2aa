import { paymentOut } from '../../domain/billing/billingResponse';
import { MIN_PAYMENT } from '../../domain/billing/funds';
import { holdTeam } from '../core/caller';
import type { Handler } from '../types';
import { centsOf } from './amount';
import { checkDriver, startPayment } from './startPayment';

export const createTopUp: Handler<'createTopUp'> = async ({ body, ctx }) => {
  const { driver = 'manual', save_card = false } = body;
  const amount_micros = centsOf(body.amount, 'amount', { least: MIN_PAYMENT });
  checkDriver(ctx, { driver, amount_micros });
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    const row = await startPayment(ctx, trx, { team_id: team.id, driver, amount_micros, save_card });
    const payment = paymentOut(row);
    await audit({
      action: 'payment.create',
      target_kind: 'payment',
      target_id: row.public_id,
      after: {
        driver,
        amount: payment.amount,
        reference: payment.reference,
        ...(row.card_consent !== null && { card_consent: row.card_consent }),
      },
    });
    return { status: 201, body: payment } as const;
  });
};
