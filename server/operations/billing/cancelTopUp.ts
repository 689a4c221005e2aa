import { lockPayment, setPayment } from '../../db/billing/payments';
import { paymentOut } from '../../domain/billing/billingResponse';
import { Problem } from '../../domain/core/problem';
import { holdTeam } from '../core/caller';
import type { Handler } from '../types';

export const cancelTopUp: Handler<'cancelTopUp'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    const payment = await lockPayment(trx, { public_id: path.payment_id, team_id: team.id });
    if (!payment) throw new Problem('NOT_FOUND', { message: `There is no payment ${path.payment_id}.` });
    if (payment.state !== 'pending')
      throw new Problem('PAYMENT_SETTLED', { message: 'Only a payment without any money can be canceled.' });
    const row = await setPayment(trx, payment.id, { state: 'cancelled' });
    await audit({ action: 'payment.cancel', target_kind: 'payment', target_id: payment.public_id });
    return { status: 200, body: paymentOut(row) } as const;
  });
