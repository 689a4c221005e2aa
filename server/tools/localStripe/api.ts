import { z } from 'zod';
import type { StripeAccount } from './account';
import { checked, flag, invalidRequest, metadata, wholeNumber } from './form';
import type { StripeObject } from './objects';

/** The Stripe endpoints that the server uses, with Stripe's validation. */

type Answer = StripeObject | { object: 'list'; data: StripeObject[]; has_more: false };
type Route = [
  method: 'GET' | 'POST',
  path: RegExp,
  run: (account: StripeAccount, id: string, body: unknown) => Answer,
];

const DAY_SECONDS = 86_400;
const address = z.url({ protocol: /^https?$/ });
const currency = z.literal('usd');
/** Stripe's smallest charge in US dollars, in cents. */
const cents = wholeNumber.refine((amount) => amount >= 50, 'Amount must be at least $0.50 usd');
const none = z.strictObject({ expand: z.array(z.string()).optional() });

const sessionParams = z.discriminatedUnion('mode', [
  z.strictObject({
    mode: z.literal('payment'),
    customer: z.string(),
    client_reference_id: z.string().max(200).optional(),
    success_url: address,
    cancel_url: address.optional(),
    line_items: z
      .array(
        z.strictObject({
          quantity: wholeNumber,
          price_data: z.strictObject({
            currency,
            unit_amount: cents,
            product_data: z.strictObject({ name: z.string().min(1).max(250) }),
          }),
        }),
      )
      .length(1),
    payment_intent_data: z
      .strictObject({
        setup_future_usage: z.literal('off_session').optional(),
        description: z.string().max(1000).optional(),
        metadata,
      })
      .optional(),
    metadata,
  }),
  z.strictObject({
    mode: z.literal('setup'),
    customer: z.string(),
    currency: currency.optional(),
    client_reference_id: z.string().max(200).optional(),
    success_url: address,
    cancel_url: address.optional(),
    setup_intent_data: z.strictObject({ metadata }).optional(),
    metadata,
  }),
]);

const intentParams = z.strictObject({
  amount: cents,
  currency,
  customer: z.string(),
  payment_method: z.string(),
  payment_method_types: z.array(z.literal('card')).optional(),
  confirm: flag,
  off_session: flag,
  error_on_requires_action: flag.optional(),
  description: z.string().max(1000).optional(),
  metadata,
});

const intentListParams = z.strictObject({
  customer: z.string(),
  created: z.strictObject({ gte: wholeNumber }),
  limit: wholeNumber.optional(),
});

const refundParams = z.strictObject({
  payment_intent: z.string(),
  amount: wholeNumber.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
  metadata,
});

function createSession(account: StripeAccount, base: string, body: unknown): StripeObject {
  const params = checked(sessionParams, body);
  const customer = account.get('customer', params.customer).id;
  const common = {
    status: 'open',
    payment_status: 'unpaid',
    customer,
    payment_intent: null,
    client_reference_id: params.client_reference_id ?? null,
    success_url: params.success_url,
    cancel_url: params.cancel_url ?? null,
    expires_at: Math.floor(Date.now() / 1000) + DAY_SECONDS,
    metadata: params.metadata,
  } as const;
  const isPayment = params.mode === 'payment';
  const session = account.add('checkout.session', {
    ...common,
    mode: params.mode,
    url: '',
    setup_intent: isPayment
      ? null
      : account.add('setup_intent', {
          status: 'requires_payment_method',
          customer,
          payment_method: null,
          metadata: params.setup_intent_data?.metadata ?? {},
        }).id,
    amount_total: isPayment
      ? params.line_items.reduce(
          (sum, { quantity, price_data }) => sum + quantity * price_data.unit_amount,
          0,
        )
      : null,
    currency: isPayment ? 'usd' : null,
    intent: {
      metadata: isPayment ? (params.payment_intent_data?.metadata ?? {}) : {},
      setup_future_usage: isPayment ? (params.payment_intent_data?.setup_future_usage ?? null) : null,
      description: isPayment ? (params.payment_intent_data?.description ?? null) : null,
    },
  });
  session.url = `${base}/pay/${session.id}`;
  return session;
}

function createIntent(account: StripeAccount, body: unknown): StripeObject {
  const {
    confirm,
    off_session,
    error_on_requires_action: _,
    payment_method_types: __,
    ...params
  } = checked(intentParams, body);
  if (!confirm || !off_session) throw invalidRequest('This server only confirms off-session payments.');
  account.get('customer', params.customer);
  account.get('payment_method', params.payment_method);
  return account.chargeOffSession(
    account.add('payment_intent', {
      ...params,
      description: params.description ?? null,
      amount_received: 0,
      status: 'requires_payment_method',
      latest_charge: null,
      setup_future_usage: null,
      last_payment_error: null,
    }),
  );
}

function createRefund(account: StripeAccount, body: unknown): StripeObject {
  const { payment_intent, amount, metadata: kept } = checked(refundParams, body);
  const { latest_charge } = account.get('payment_intent', payment_intent);
  if (latest_charge === null) throw invalidRequest('The payment has no successful charge to refund.');
  const charge = account.get('charge', latest_charge);
  return account.refund(charge.id, amount ?? charge.amount - charge.amount_refunded, kept);
}

const list = (data: StripeObject[]): Answer => ({ object: 'list', data, has_more: false });
const read =
  (kind: StripeObject['object']): Route[2] =>
  (account, id, body) => {
    checked(none, body);
    return account.get(kind, id);
  };

/** @param base URL of this server */
export const routes = (base: string): Route[] => [
  [
    'POST',
    /^\/v1\/customers$/,
    (account, _, body) =>
      account.add(
        'customer',
        checked(z.strictObject({ description: z.string().max(350).optional(), metadata }), body),
      ),
  ],
  ['POST', /^\/v1\/checkout\/sessions$/, (account, _, body) => createSession(account, base, body)],
  ['GET', /^\/v1\/checkout\/sessions\/(\w+)$/, read('checkout.session')],
  ['POST', /^\/v1\/checkout\/sessions\/(\w+)\/expire$/, (account, id) => account.expire(id)],
  ['POST', /^\/v1\/payment_intents$/, (account, _, body) => createIntent(account, body)],
  [
    'GET',
    /^\/v1\/payment_intents$/,
    (account, _, query) => {
      const { customer, created } = checked(intentListParams, query);
      return list(
        account
          .list('payment_intent')
          .filter((one) => one.customer === customer && one.created >= created.gte)
          .toReversed(),
      );
    },
  ],
  ['GET', /^\/v1\/payment_intents\/(\w+)$/, read('payment_intent')],
  ['GET', /^\/v1\/setup_intents\/(\w+)$/, read('setup_intent')],
  ['GET', /^\/v1\/payment_methods\/(\w+)$/, read('payment_method')],
  [
    'POST',
    /^\/v1\/payment_methods\/(\w+)\/detach$/,
    (account, id) => {
      const method = account.get('payment_method', id);
      method.customer = null;
      account.emit('payment_method.detached', method);
      return method;
    },
  ],
  ['GET', /^\/v1\/charges\/(\w+)$/, read('charge')],
  ['POST', /^\/v1\/refunds$/, (account, _, body) => createRefund(account, body)],
  ['GET', /^\/v1\/refunds\/(\w+)$/, read('refund')],
  [
    'GET',
    /^\/v1\/refunds$/,
    (account, _, query) => {
      const { payment_intent } = checked(
        z.strictObject({ payment_intent: z.string(), limit: wholeNumber.optional() }),
        query,
      );
      return list(account.list('refund').filter((one) => one.payment_intent === payment_intent));
    },
  ],
  ['GET', /^\/v1\/disputes\/(\w+)$/, read('dispute')],
];
