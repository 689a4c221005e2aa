import type { Logger } from 'pino';
import { formatMicros, formatUsd } from '../../../console/lib/billing/money';
import { appendAudit } from '../../db/audit/auditLog';
import { steadyBalance } from '../../db/billing/accrued';
import {
  autoTopUpOf,
  cardOfTeam,
  changeAutoTopUp,
  chargeableTeams,
  claimAttempt,
  unresolvedCharges,
} from '../../db/billing/autoTopUps';
import { CENT_MICROS, creditCardPayment, customerOf } from '../../db/billing/cardPayments';
import { lockPayment, setPayment } from '../../db/billing/payments';
import type { PaymentRow } from '../../db/billing/paymentsTables';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { openNotices, recipientsOf, resolveNotices } from '../../db/notifications/notifications';
import { CardError, type CardPayment, type CardPayments } from '../../drivers/payments';

/** Teams read per query. */
const AT_ONCE = 200;
const HOUR_MS = 3_600_000;
/** Stripe forgets the key of a request after a day: until then, repeating a charge has no further effect. */
const REPEATABLE_MS = 20 * HOUR_MS;
/** Declined payments in a row after which nothing is charged anymore. */
const MOST_DECLINES = 3;

interface Parts {
  db: Db;
  cards: CardPayments;
  log: Logger;
  now: Date;
}

/** Charges the saved cards of teams whose balance is below what they agreed to, at most once an hour each. */
export async function runAutoTopUps(parts: Parts): Promise<void> {
  const { db, now } = parts;
  const resume = await unresolvedCharges(db, new Date(now.getTime() - REPEATABLE_MS), AT_ONCE);
  for (const payment of resume) await chargeSafely(parts, payment);
  const attempted_before = new Date(now.getTime() - HOUR_MS);
  for (let after = 0; ;) {
    const teams = await chargeableTeams(db, { after, limit: AT_ONCE, attempted_before });
    for (const { team_id, threshold_micros } of teams) {
      const { balance } = await steadyBalance(db, team_id, now);
      if (balance >= threshold_micros) continue;
      const payment = await withTransaction(db, async (trx) => {
        const made = await claimAttempt(trx, team_id, { now, attempted_before });
        if (made) await audit(trx, 'payment.create', made);
        return made;
      });
      if (payment) await chargeSafely(parts, payment);
    }
    const last = teams.at(-1);
    if (!last || teams.length < AT_ONCE) break;
    after = last.team_id;
  }
}

const chargeSafely = (parts: Parts, payment: PaymentRow) =>
  charge(parts, payment).catch((err: unknown) =>
    parts.log.error(
      { err, payment: payment.public_id },
      'an automatic payment has no outcome yet; trying again',
    ),
  );

async function charge(parts: Parts, payment: PaymentRow): Promise<void> {
  const { db, cards } = parts;
  const { team_id } = payment;
  const [card, customer_id] = await Promise.all([cardOfTeam(db, team_id), customerOf(db, team_id)]);
  if (!card || customer_id === null) return fail(parts, payment, 'The saved card was removed.');
  try {
    const made = await cards.charge({
      payment_id: payment.public_id,
      customer_id,
      card_id: card.card_id,
      cents: payment.amount_micros / CENT_MICROS,
      description: `Automatic payment, ${payment.reference}`,
    });
    await succeed(parts, payment, made);
  } catch (error) {
    if (!(error instanceof CardError) || error.failure === 'down') throw error;
    if (error.failure === 'authentication') return waitForPayer(parts, payment);
    await fail(parts, payment, error.failure === 'declined' ? error.message : 'Stripe refused the payment.');
  }
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
    });
    await changeAutoTopUp(trx, team_id, { declines: 0 });
    await resolveNotices(
      trx,
      { state: 'over', kind: 'payment', subject: 'auto_top_up', message: null },
      { team_id, at: now },
    );
    if (credited) await audit(trx, 'payment.receive', credited);
  });
}

/** The payment stays, so that a payer can make it on Stripe's page; until then nothing is charged automatically. */
async function waitForPayer({ db, now }: Parts, payment: PaymentRow): Promise<void> {
  await withTransaction(db, async (trx) => {
    const locked = await lockPayment(trx, { id: payment.id });
    if (locked?.state !== 'pending') return;
    await setPayment(trx, payment.id, { reason: "The card's bank asks for confirmation." });
    await notify(trx, payment, now, {
      title: 'Confirm a payment',
      message: `The bank of the saved card asks for confirmation of ${formatUsd(payment.amount_micros)}. Open Billing and choose Pay by card for ${payment.reference}.`,
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
    const stops = declines >= MOST_DECLINES;
    await changeAutoTopUp(trx, payment.team_id, {
      declines,
      ...(stops ? { enabled: false, stopped_reason: `${declines} payments in a row failed. ${reason}` } : {}),
    });
    await notify(trx, payment, now, {
      title: stops ? 'Automatic payments are turned off' : 'An automatic payment failed',
      message: stops
        ? `${declines} payments in a row failed. ${reason} Save another card and turn them on again.`
        : `${formatUsd(payment.amount_micros)} could not be charged. ${reason} It is tried again in an hour.`,
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
    { state: 'open', kind: 'payment', subject: 'auto_top_up', severity: 'error', ...told },
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
