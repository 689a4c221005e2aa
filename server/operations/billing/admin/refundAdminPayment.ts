import { createHash } from 'node:crypto';
import { formatMicros, formatUsd } from '../../../../console/lib/billing/money';
import { CENT_MICROS } from '../../../db/billing/cardPayments';
import {
  auditAs,
  auditRefund,
  endRefund,
  insertRefund,
  lockRefundable,
  refundOfRequest,
  type Refundable,
  type UnsettledRefund,
} from '../../../db/billing/cardRefunds';
import { settleRefund } from '../../../db/billing/settleRefund';
import { Problem } from '../../../domain/core/problem';
import { CardError, type CardRefund } from '../../../drivers/payments';
import { invalid } from '../../core/invalid';
import { missing } from '../../core/admin/resource';
import { payments } from '../../core/admin/resourcesBilling';
import { userOf } from '../../core/caller';
import { checkText } from '../../core/text';
import type { Call, Context, Handler } from '../../types';
import { centsOf } from '../amount';
import { approvalOf, type Waits } from '../approvals/approval';
import { atProvider, cardsOf } from '../cards';
import { paymentReply } from './paymentReply';

/**
 * Reserves the amount before calling Stripe, and settles or releases it with Stripe's reply. If that reply is lost,
 * the repeated request, an event or the refund job settles it.
 */
export const refundAdminPayment: Handler<'refundAdminPayment'> = async ({ path, body, ctx }) => {
  checkText(body.reason, 'reason');
  const cards = cardsOf(ctx);
  const { waits, refund } = await reserve(ctx, path.id, body);
  if (waits) return waits;
  const made = await atProvider(
    cards
      .refund({
        intent_id: refund.payment_intent,
        cents: refund.amount_micros / CENT_MICROS,
        key: refund.public_id,
      })
      .catch(async (error: unknown) => {
        if (!(error instanceof CardError) || error.failure === 'down') throw error;
        await release(ctx, refund, error.message);
        throw new Problem('PAYMENT_SETTLED', {
          message: `The refund was refused. ${error.message}`,
          suggestions: ['Check the payment at Stripe, then request the refund again.'],
          cause: error,
        });
      }),
  );
  return settle(ctx, refund, made);
};

const settle = (ctx: Context, refund: UnsettledRefund, made: CardRefund) =>
  ctx.write(async ({ trx, audit }) => {
    await settleRefund(trx, refund, made);
    const reply = await paymentReply(trx, refund.payment_id);
    await audit({
      action: 'payment.refund',
      target_kind: 'payment',
      target_id: reply.body.public_id,
      team_id: refund.team_id,
      after: { amount: formatMicros(refund.amount_micros), refund: made.id, reason: refund.reason },
    });
    return reply;
  });

/** Records the pending refund; with the same Idempotency-Key, returns the existing one. */
const reserve = (
  ctx: Context,
  id: number,
  body: Call<'refundAdminPayment'>['body'],
): Promise<{ waits: Waits; refund?: never } | { waits?: never; refund: UnsettledRefund }> => {
  const { reason } = body;
  const amount_micros = centsOf(body.amount, 'amount');
  // Without the request's own reply, which is stored at settlement.
  return ctx.writeUnaudited(async (trx) => {
    const found = await lockRefundable(trx, id);
    if (!found) throw missing(payments, id);
    const { payment } = found;
    const { payment_intent } = refundable(found);
    const request_key = createHash('sha256')
      .update(`${payment.public_id}/${ctx.headers['idempotency-key'] ?? ''}`)
      .digest('hex');
    const known = await refundOfRequest(trx, request_key);
    // If the first request ended without a reply, nothing is stored under the key.
    if (known && (known.amount_micros !== amount_micros || known.reason !== reason))
      throw new Problem('IDEMPOTENCY_KEY_REUSED');
    if (known?.state === 'failed')
      throw new Problem('PAYMENT_SETTLED', { message: 'Stripe refused this refund.' });
    let finance_action_id: number | null = null;
    if (!known) {
      checkAmount(found, amount_micros);
      const approval = await approvalOf(
        ctx,
        { trx, audit: auditAs(trx, actorOf(ctx)) },
        {
          action: 'refund_payment',
          path: { id },
          body,
          team_id: payment.team_id,
          target: payment.public_id,
          amount_micros,
          reason,
        },
      );
      if (approval.waits) return { waits: approval.waits };
      finance_action_id = approval.id;
    }
    const row =
      known ??
      (await insertRefund(trx, {
        payment_id: payment.id,
        team_id: payment.team_id,
        request_key,
        amount_micros,
        reason,
        finance_action_id,
        created_by: userOf(ctx).id,
      }));
    await auditRefund(trx, row, known ? 'payment.refund_repeat' : 'payment.refund_request', actorOf(ctx));
    return { refund: { ...row, payment_intent } };
  });
};

function refundable({ payment }: Refundable): { payment_intent: string } {
  if (payment.driver !== 'stripe')
    throw new Problem('CONFLICT', {
      message: 'Only card payments can be refunded here. Return a bank transfer through your bank.',
    });
  if (payment.payment_intent === null)
    throw new Problem('PAYMENT_SETTLED', { message: 'No money has arrived for this payment.' });
  return { payment_intent: payment.payment_intent };
}

function checkAmount({ left, prepaid }: Refundable, amount_micros: number): void {
  const most = Math.max(0, Math.min(left, prepaid));
  if (amount_micros <= most) return;
  throw invalid(
    'amount',
    left <= prepaid
      ? `Only ${formatUsd(most)} of the payment can still be refunded.`
      : `At most ${formatUsd(most)} can be refunded: the rest is used, or set aside for the first hour of CVMs and AI requests in progress.`,
  );
}

/** Stripe refused it permanently. */
const release = (ctx: Context, refund: UnsettledRefund, why: string) =>
  ctx.writeUnaudited(async (trx) => {
    await endRefund(trx, refund, { state: 'failed', why });
    await auditRefund(trx, refund, 'payment.refund_refused', actorOf(ctx), why);
  });

const actorOf = (ctx: Context) =>
  ({
    actor_kind: 'staff',
    actor_user_id: userOf(ctx).id,
    ip: ctx.ip,
    user_agent: ctx.user_agent,
    request_id: ctx.request_id,
  }) as const;
