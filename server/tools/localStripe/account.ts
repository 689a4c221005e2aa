import { randomBytes } from 'node:crypto';
import { invalidRequest, StripeFault } from './form';
import {
  CARDS,
  type CardDigits,
  type Charge,
  type CheckoutSession,
  type Dispute,
  type PaymentIntent,
  type PaymentMethod,
  type Refund,
  type StripeEvent,
  type StripeObject,
} from './objects';

type Kind = StripeObject['object'];
type OfKind<K extends Kind> = Extract<StripeObject, { object: K }>;

const PREFIXES: Readonly<Record<Kind, string>> = {
  customer: 'cus',
  payment_method: 'pm',
  'checkout.session': 'cs_test',
  payment_intent: 'pi',
  setup_intent: 'seti',
  charge: 'ch',
  refund: 're',
  dispute: 'dp',
};

const newId = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;
const now = () => Math.floor(Date.now() / 1000);

/** The objects of one Stripe account and operations on them. Events go to `publish`. */
export class StripeAccount {
  readonly #objects = new Map<string, StripeObject>();

  constructor(
    readonly publish: (event: StripeEvent) => void,
    readonly version: string,
  ) {}

  add<K extends Kind>(
    object: K,
    fields: Omit<OfKind<K>, 'id' | 'object' | 'created' | 'livemode'>,
  ): OfKind<K> {
    const made = { id: newId(PREFIXES[object]), object, created: now(), livemode: false, ...fields };
    this.#objects.set(made.id, made as unknown as StripeObject);
    return made as unknown as OfKind<K>;
  }

  /** @throws StripeFault 404 like Stripe's */
  get<K extends Kind>(object: K, id: string): OfKind<K> {
    const found = this.#objects.get(id);
    if (found?.object !== object)
      throw invalidRequest(`No such ${object}: '${id}'`, { code: 'resource_missing', param: 'id' }, 404);
    return found as OfKind<K>;
  }

  list<K extends Kind>(object: K): OfKind<K>[] {
    return [...this.#objects.values()].filter((one): one is OfKind<K> => one.object === object);
  }

  emit(type: string, object: StripeObject): StripeEvent {
    const event: StripeEvent = {
      id: newId('evt'),
      object: 'event',
      created: now(),
      livemode: false,
      api_version: this.version,
      type,
      // A snapshot: later changes must not show in an earlier event.
      data: { object: structuredClone(object) },
    };
    this.publish(event);
    return event;
  }

  /** Emulates the payer on the hosted page. @throws StripeFault 402 if the card is declined */
  complete(session_id: string, digits: CardDigits = '4242', received?: number): CheckoutSession {
    const session = this.get('checkout.session', session_id);
    if (session.status !== 'open') throw invalidRequest('This session is no longer open.');
    const method = this.#card(digits);
    if (session.mode === 'setup') {
      const intent = this.get('setup_intent', session.setup_intent ?? '');
      method.customer = session.customer;
      Object.assign(intent, { status: 'succeeded', payment_method: method.id });
      Object.assign(session, { status: 'complete', payment_status: 'no_payment_required', url: null });
      this.emit('setup_intent.succeeded', intent);
      this.emit('checkout.session.completed', session);
      return session;
    }
    const amount = session.amount_total ?? 0;
    const intent =
      session.payment_intent === null
        ? this.add('payment_intent', {
            amount,
            amount_received: 0,
            currency: session.currency ?? 'usd',
            status: 'requires_payment_method',
            customer: session.customer,
            payment_method: null,
            latest_charge: null,
            last_payment_error: null,
            ...session.intent,
          })
        : this.get('payment_intent', session.payment_intent);
    session.payment_intent = intent.id;
    if (CARDS[digits] === 'declines') {
      this.#decline(intent, method);
      throw declined(intent);
    }
    if (intent.setup_future_usage !== null) method.customer = session.customer;
    this.#succeed(intent, method, received ?? amount);
    Object.assign(session, { status: 'complete', payment_status: 'paid', url: null });
    this.emit('checkout.session.completed', session);
    return session;
  }

  expire(session_id: string): CheckoutSession {
    const session = this.get('checkout.session', session_id);
    if (session.status !== 'open') throw invalidRequest('Only an open session can be expired.');
    Object.assign(session, { status: 'expired', url: null });
    this.emit('checkout.session.expired', session);
    return session;
  }

  /** Charges a saved card off-session. @throws StripeFault 402 if that fails */
  chargeOffSession(intent: PaymentIntent): PaymentIntent {
    const method = this.get('payment_method', intent.payment_method ?? '');
    if (method.customer === null || method.customer !== intent.customer)
      throw invalidRequest('The payment method does not belong to the customer.');
    const behavior = CARDS[method.card.last4 as CardDigits];
    if (behavior === 'succeeds') return this.#succeed(intent, method, intent.amount);
    this.#decline(
      intent,
      method,
      behavior === 'authenticates' ? 'authentication_required' : 'generic_decline',
    );
    throw declined(intent);
  }

  refund(charge_id: string, amount: number, metadata: Record<string, string>): Refund {
    const charge = this.get('charge', charge_id);
    if (amount > charge.amount - charge.amount_refunded)
      throw invalidRequest('Refund amount is greater than unrefunded amount on charge.', {
        code: 'charge_already_refunded',
        param: 'amount',
      });
    const { currency, payment_intent } = charge;
    const refund = this.add('refund', {
      amount,
      currency,
      charge: charge.id,
      payment_intent,
      status: 'succeeded',
      metadata,
    });
    charge.amount_refunded += amount;
    charge.refunded = charge.amount_refunded === charge.amount;
    this.emit('charge.refunded', charge);
    return refund;
  }

  /** The bank returns a refund. */
  failRefund(id: string): Refund {
    const refund = this.get('refund', id);
    const charge = this.get('charge', refund.charge);
    refund.status = 'failed';
    charge.amount_refunded -= refund.amount;
    charge.refunded = false;
    this.emit('charge.refund.updated', refund);
    return refund;
  }

  /** The cardholder disputes a payment. An inquiry moves no money. */
  dispute(charge_id: string, { inquiry = false } = {}): Dispute {
    const charge = this.get('charge', charge_id);
    const { amount, currency, payment_intent } = charge;
    const dispute = this.add('dispute', {
      amount,
      currency,
      charge: charge.id,
      payment_intent,
      status: inquiry ? 'warning_needs_response' : 'needs_response',
      reason: 'fraudulent',
      balance_transactions: [],
      metadata: {},
    });
    this.emit('charge.dispute.created', dispute);
    if (!inquiry) {
      charge.disputed = true;
      dispute.balance_transactions.push({ id: newId('txn'), object: 'balance_transaction', amount: -amount });
      this.emit('charge.dispute.funds_withdrawn', dispute);
    }
    return dispute;
  }

  winDispute(id: string): Dispute {
    const dispute = this.get('dispute', id);
    dispute.status = 'won';
    const { amount } = dispute;
    dispute.balance_transactions.push({ id: newId('txn'), object: 'balance_transaction', amount });
    this.emit('charge.dispute.funds_reinstated', dispute);
    this.emit('charge.dispute.closed', dispute);
    return dispute;
  }

  #card(digits: CardDigits): PaymentMethod {
    return this.add('payment_method', {
      type: 'card',
      card: { brand: 'visa', last4: digits, exp_month: 12, exp_year: 2034, fingerprint: `fp_${digits}` },
      customer: null,
    });
  }

  #charge(intent: PaymentIntent, method: PaymentMethod, paid: boolean, amount: number): Charge {
    const charge = this.add('charge', {
      amount,
      amount_refunded: 0,
      refunded: false,
      disputed: false,
      paid,
      status: paid ? 'succeeded' : 'failed',
      currency: intent.currency,
      customer: intent.customer,
      payment_intent: intent.id,
      payment_method: method.id,
    });
    intent.latest_charge = charge.id;
    return charge;
  }

  #succeed(intent: PaymentIntent, method: PaymentMethod, received: number): PaymentIntent {
    this.#charge(intent, method, true, received);
    Object.assign(intent, {
      status: 'succeeded',
      amount_received: received,
      payment_method: method.id,
      last_payment_error: null,
    });
    this.emit('payment_intent.succeeded', intent);
    return intent;
  }

  #decline(intent: PaymentIntent, method: PaymentMethod, decline_code = 'generic_decline'): void {
    this.#charge(intent, method, false, intent.amount);
    const needsPayer = decline_code === 'authentication_required';
    Object.assign(intent, {
      status: 'requires_payment_method',
      payment_method: null,
      last_payment_error: {
        type: 'card_error',
        code: needsPayer ? 'authentication_required' : 'card_declined',
        decline_code,
        message: needsPayer
          ? 'Your card was declined. This transaction requires authentication.'
          : 'Your card was declined.',
      },
    });
    this.emit('payment_intent.payment_failed', intent);
  }
}

function declined(intent: PaymentIntent): StripeFault {
  const error = intent.last_payment_error as { type: string; message: string; code: string };
  return new StripeFault(402, { ...error, payment_intent: structuredClone(intent) });
}
