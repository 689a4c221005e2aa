import { insertPayment, openPayments } from '../../db/billing/payments';
import { paymentOut } from '../../domain/billing/billingResponse';
import { Problem } from '../../domain/core/problem';
import { invalid } from '../core/admin/change';
import { holdTeam, userOf } from '../core/caller';
import type { Handler } from '../types';
import { centsOf } from './amount';

/** Micro-dollars. */
const LEAST = 1_000_000;
const MOST_BY_CARD = 10_000_000_000;
/** Payments of one team that wait for money. */
const MOST_OPEN = 20;

export const createTopUp: Handler<'createTopUp'> = async ({ body, ctx }) => {
  const { driver = 'manual', save_card = false } = body;
  const amount_micros = centsOf(body.amount, 'amount', { least: LEAST });
  if (driver === 'stripe' && !ctx.cards)
    throw invalid('driver', "This server doesn't take cards. Pay by bank transfer.");
  if (driver === 'stripe' && amount_micros > MOST_BY_CARD)
    throw invalid('amount', 'By card, the amount must be at most $10,000. Pay by bank transfer.');
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    if ((await openPayments(trx, team.id)) >= MOST_OPEN)
      throw new Problem('CONFLICT', {
        message: `The team has ${MOST_OPEN} payments that wait for money.`,
        suggestions: ['Cancel one that you no longer need.'],
      });
    const created_by = userOf(ctx).id;
    const row = await insertPayment(trx, {
      team_id: team.id,
      driver,
      amount_micros,
      saves_card: driver === 'stripe' && save_card,
      created_by,
    });
    const payment = paymentOut(row);
    await audit({
      action: 'payment.create',
      target_kind: 'payment',
      target_id: row.public_id,
      after: { driver, amount: payment.amount, reference: payment.reference },
    });
    return { status: 201, body: payment } as const;
  });
};
