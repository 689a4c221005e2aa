import type { Logger } from 'pino';
import { formatMicros, formatUsd } from '../../../console/lib/billing/money';
import { appendAudit } from '../../db/audit/auditLog';
import { steadyBalance } from '../../db/billing/accrued';
import {
  agreedCard,
  autoTopUpOf,
  cardOfTeam,
  changeAutoTopUp,
  chargeableTeams,
  claimAttempt,
  noteLookUp,
  unresolvedCharges,
  type TeamCardRow,
} from '../../db/billing/autoTopUps';
import { CENT_MICROS, creditCardPayment, customerOf } from '../../db/billing/cardPayments';
import { resolveAutoTopUp } from '../../db/billing/paymentNotices';
import { AUTO_TOP_UP } from '../../domain/billing/paymentNotice';
import { lockPayment, setPayment } from '../../db/billing/payments';
import type { PaymentRow } from '../../db/billing/paymentsTables';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { openNotices, recipientsOf } from '../../db/notifications/notifications';
import { CardError, type CardPayment, type CardPayments } from '../../drivers/payments';
import { thresholdOf } from '../../domain/billing/autoTopUp';

/** Teams read per query. */
const BATCH_SIZE = 200;
const HOUR_MS = 3_600_000;
/**
 * Stripe forgets a request's idempotency key after a day. Until then, repeating a charge has no further effect.
 */
export const REPEATABLE_MS = 20 * HOUR_MS;
/** Consecutive declined payments after which automatic charges stop. */
const MAX_DECLINES = 3;

interface Parts {
  db: Db;
  cards: CardPayments;
  log: Logger;
  now: Date;
}

/** Charges the saved cards of teams whose balance is below their threshold, at most once an hour each. */
export async function runAutoTopUps(parts: Parts): Promise<void> {
  const { db, now } = parts;
  for (const payment of await unresolvedCharges(db, now, BATCH_SIZE)) await safely(parts, payment, resume);
  const attempted_before = new Date(now.getTime() - HOUR_MS);
  for (let after = 0; ;) {
    const teams = await chargeableTeams(db, { after, limit: BATCH_SIZE, attempted_before });
    for (const { team_id, ...agreed } of teams) {
      const { balance } = await steadyBalance(db, team_id, now);
      if (balance >= thresholdOf(agreed)) continue;
      const payment = await withTransaction(db, async (trx) => {
        const made = await claimAttempt(trx, team_id, { now, attempted_before });
        if (made) await audit(trx, 'payment.create', made);
        return made;
      });
      if (payment) await safely(parts, payment, start);
    }
    const last = teams.at(-1);
    if (!last || teams.length < BATCH_SIZE) break;
    after = last.team_id;
  }
}

const safely = (
  parts: Parts,
  payment: PaymentRow,
  act: (parts: Parts, payment: PaymentRow) => Promise<void>,
) =>
  act(parts, payment).catch((err: unknown) =>
    parts.log.error(
      { err, payment: payment.public_id },
      'automatic payment still pending; checking again later',
    ),
  );

/** Charges the card for a payment that was just claimed. */
async function start(parts: Parts, payment: PaymentRow): Promise<void> {
  const [card, customer_id] = await Promise.all([
    agreedCard(parts.db, payment),
    customerOf(parts.db, payment.team_id),
  ]);
  if (!card || customer_id === null) return cancel(parts, payment);
  await charge(parts, payment, { card, customer_id });
}

/**
 * Resolves the outcome of a charge. One that Stripe never received is repeated while the team still agrees to
 * it and its idempotency key is valid; after that it is given up.
 */
async function resume(parts: Parts, payment: PaymentRow): Promise<void> {
  const { db, now } = parts;
  await noteLookUp(db, payment.id, now);
  const customer_id = await customerOf(db, payment.team_id);
  if (customer_id === null) return cancel(parts, payment);
  const made = await lookUp(parts, payment, customer_id);
  if (made) return settle(parts, payment, made);
  const card = await agreedCard(db, payment);
  if (!card) return cancel(parts, payment);
  if (now.getTime() - payment.created_at.getTime() > REPEATABLE_MS)
    return fail(parts, payment, 'Stripe did not receive the payment.');
  await charge(parts, payment, { card, customer_id });
}

const lookUp = (
  { cards }: Parts,
  { payment_intent, public_id: payment_id, created_at: since }: PaymentRow,
  customer_id: string,
): Promise<CardPayment | null> =>
  payment_intent === null
    ? cards.findCharge({ payment_id, customer_id, since })
    : cards.payment(payment_intent);

function settle(parts: Parts, payment: PaymentRow, made: CardPayment): Promise<void> {
  if (made.status === 'succeeded' || made.status === 'processing') return succeed(parts, payment, made);
  if (made.failure?.reason === 'authentication') return waitForPayer(parts, payment);
  return fail(parts, payment, made.failure?.message ?? 'Stripe didn’t complete the payment.');
}

async function charge(
  parts: Parts,
  payment: PaymentRow,
  { card, customer_id }: { card: TeamCardRow; customer_id: string },
): Promise<void> {
  try {
    const made = await parts.cards.charge({
      payment_id: payment.public_id,
      customer_id,
      card_id: card.card_id,
      cents: payment.amount_micros / CENT_MICROS,
      description: `Automatic payment, ${payment.reference}`,
    });
    await settle(parts, payment, made);
  } catch (error) {
    if (!(error instanceof CardError) || error.failure === 'down') throw error;
    if (error.failure === 'authentication') return waitForPayer(parts, payment);
    await fail(parts, payment, error.failure === 'declined' ? error.message : 'Stripe refused the payment.');
  }
}

/** Ends a payment that was never requested because the team has withdrawn its consent. */
async function cancel({ db }: Parts, payment: PaymentRow): Promise<void> {
  await withTransaction(db, async (trx) => {
    const locked = await lockPayment(trx, { id: payment.id });
    if (locked?.state !== 'pending') return;
    const reason = 'Automatic payments were changed or turned off before the card was charged.';
    await audit(trx, 'payment.cancel', await setPayment(trx, payment.id, { state: 'cancelled', reason }));
  });
}

async function succeed({ db, now }: Parts, payment: PaymentRow, made: CardPayment): Promise<void> {
  const { team_id, public_id: payment_id } = payment;
  await withTransaction(db, async (trx) => {
    if (made.status !== 'succeeded')
      return void (await setPayment(trx, payment.id, { payment_intent: made.id }));
    const credited = await creditCardPayment(trx, {
      payment_id,
      intent_id: made.id,
      cents: made.received_cents,
      card_fingerprint: (await cardOfTeam(trx, team_id))?.fingerprint ?? null,
    });
    await changeAutoTopUp(trx, team_id, { declines: 0 });
    await resolveAutoTopUp(trx, team_id, now);
    if (credited) await audit(trx, 'payment.receive', credited);
  });
}

/**
 * Keeps the payment so that a payer can complete it on Stripe's page. Until then nothing is charged
 * automatically.
 */
async function waitForPayer({ db, now }: Parts, payment: PaymentRow): Promise<void> {
  await withTransaction(db, async (trx) => {
    const locked = await lockPayment(trx, { id: payment.id });
    if (locked?.state !== 'pending') return;
    await setPayment(trx, payment.id, { reason: 'The card’s bank asks for confirmation.' });
    await notify(trx, payment, now, {
      title: 'Confirm a payment',
      message: `The bank of the saved card asks for confirmation of ${formatUsd(payment.amount_micros)}. Open Billing and choose Pay by card for ${payment.reference}. Nothing else is charged automatically until it is paid or canceled.`,
    });
    await audit(trx, 'payment.authentication_required', locked);
  });
}

async function fail({ db, now }: Parts, payment: PaymentRow, reason: string): Promise<void> {
  await withTransaction(db, async (trx) => {
    const locked = await lockPayment(trx, { id: payment.id });
    if (locked?.state !== 'pending') return;
    const rejected = await setPayment(trx, payment.id, { state: 'rejected', reason });
    const declines = ((await autoTopUpOf(trx, payment.team_id))?.declines ?? 0) + 1;
    const stops = declines >= MAX_DECLINES;
    await changeAutoTopUp(trx, payment.team_id, {
      declines,
      ...(stops ? { enabled: false, stopped_reason: `${declines} payments in a row failed. ${reason}` } : {}),
    });
    await notify(trx, payment, now, {
      title: stops ? 'Automatic payments are turned off' : 'An automatic payment failed',
      message: stops
        ? `${declines} payments in a row failed. ${reason} Save another card and turn them on again.`
        : `${formatUsd(payment.amount_micros)} could not be charged. ${reason} It is retried in an hour.`,
    });
    await audit(trx, 'payment.reject', rejected);
  });
}

async function notify(
  trx: Tx,
  { team_id }: PaymentRow,
  at: Date,
  told: { title: string; message: string },
): Promise<void> {
  await openNotices(
    trx,
    { state: 'open', kind: 'payment', subject: AUTO_TOP_UP, severity: 'error', ...told },
    { team_id, cvm_id: null, at },
    await recipientsOf(trx, team_id, 'payment'),
  );
}

const audit = (trx: Tx, action: string, payment: PaymentRow) =>
  appendAudit(trx, [
    {
      actor_kind: 'system',
      team_id: payment.team_id,
      action,
      target_kind: 'payment',
      target_id: payment.public_id,
      after: { automatic: true, state: payment.state, amount: formatMicros(payment.amount_micros) },
    },
  ]);
