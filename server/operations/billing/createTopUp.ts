import { insertPayment, openPayments } from '../../db/billing/payments';
import { paymentOut } from '../../domain/billing/billingResponse';
import { Problem } from '../../domain/core/problem';
import { holdTeam, userOf } from '../core/caller';
import type { Handler } from '../types';
import { centsOf } from './amount';

const LEAST = 1_000_000;
/** Payments of one team that wait for money. */
const MOST_OPEN = 20;

export const createTopUp: Handler<'createTopUp'> = async ({ body, ctx }) => {
  const amount_micros = centsOf(body.amount, 'amount', { least: LEAST });
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    if ((await openPayments(trx, team.id)) >= MOST_OPEN)
      throw new Problem('CONFLICT', {
        message: `The team has ${MOST_OPEN} payments that wait for money.`,
        suggestions: ['Cancel one that you no longer need.'],
      });
    const row = await insertPayment(trx, { team_id: team.id, amount_micros, created_by: userOf(ctx).id });
    const payment = paymentOut(row);
    await audit({
      action: 'payment.create',
      target_kind: 'payment',
      target_id: row.public_id,
      after: { amount: payment.amount, reference: payment.reference },
    });
    return { status: 201, body: payment } as const;
  });
};
