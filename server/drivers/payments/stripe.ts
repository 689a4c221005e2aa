import Stripe from 'stripe';
import { z } from 'zod';
import { CardError, type CardPayment, type CardPayments, type CardRefund, type Checkout } from './index';

/** Pins the shapes of requests and replies; an endpoint's events must be set to the same. */
export const STRIPE_VERSION = '2026-10-28.endive';

const TIMEOUT_MS = 20_000;
/** Per payment. */
const MAX_REFUNDS = 1_000;
/** Per customer since a charge. More means that something is wrong, and nothing may be concluded. */
const MAX_INTENTS = 1_000;
/** Maximum clock difference. */
const CLOCKS_MS = 10 * 60_000;
/** Maximum age of a signed event: older ones may be recorded and replayed. */
const TOLERANCE_SECONDS = 300;

interface StripeOptions {
  key: string;
  /** Several during a rotation of the secret. */
  webhook_secrets: readonly string[];
  url: string;
}

const idOf = (value: string | { id: string } | null): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null);

const PAYMENT_KEY = 'teehouse_payment';
const TEAM_KEY = 'teehouse_team';
const REFUND_KEY = 'teehouse_refund';

export function createStripeDriver({ key, webhook_secrets, url }: StripeOptions): CardPayments {
  const { protocol, hostname, port } = new URL(url);
  const stripe = new Stripe(key, {
    apiVersion: STRIPE_VERSION,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    timeout: TIMEOUT_MS,
    // Requests have an idempotency key, so retrying one whose reply was lost has no further effect.
    maxNetworkRetries: 2,
    telemetry: false,
  });

  return {
    version: STRIPE_VERSION,

    async createCustomer(team_id) {
      const customer = await call(() =>
        stripe.customers.create(
          { description: `Team ${team_id}`, metadata: { [TEAM_KEY]: team_id } },
          { idempotencyKey: `customer/${team_id}` },
        ),
      );
      return customer.id;
    },

    async openCheckout(request) {
      const metadata = { [PAYMENT_KEY]: request.payment_id };
      const session = await call(() =>
        stripe.checkout.sessions.create(
          {
            mode: 'payment',
            customer: request.customer_id,
            client_reference_id: request.payment_id,
            success_url: request.success_url,
            cancel_url: request.cancel_url,
            line_items: [
              {
                quantity: 1,
                price_data: {
                  currency: 'usd',
                  unit_amount: request.cents,
                  product_data: { name: request.description },
                },
              },
            ],
            payment_intent_data: {
              description: request.description,
              metadata,
              ...(request.saves_card ? { setup_future_usage: 'off_session' } : {}),
            },
            metadata,
          },
          { idempotencyKey: `checkout/${request.payment_id}` },
        ),
      );
      return pageOf(session);
    },

    checkout: async (id) => checkoutOf(await call(() => stripe.checkout.sessions.retrieve(id))),

    async expireCheckout(id) {
      // Fails if the session was paid or has expired by now, which reading it reveals.
      await call(() => stripe.checkout.sessions.expire(id)).catch((error: unknown) => {
        if (!(error instanceof CardError) || error.failure !== 'refused') throw error;
      });
      return checkoutOf(await call(() => stripe.checkout.sessions.retrieve(id)));
    },

    payment: async (intent_id) => paymentOf(await call(() => stripe.paymentIntents.retrieve(intent_id))),

    async openSetup(request) {
      const session = await call(() =>
        stripe.checkout.sessions.create({ mode: 'setup', currency: 'usd', ...renamed(request) }),
      );
      return pageOf(session);
    },

    savedCard: async (setup_id) =>
      idOf((await call(() => stripe.setupIntents.retrieve(setup_id))).payment_method),

    async card(id) {
      const { customer, card } = await call(() => stripe.paymentMethods.retrieve(id));
      if (!card) throw new CardError('refused', `The payment method ${id} is not a card.`);
      const { brand, last4, exp_month, exp_year, fingerprint } = card;
      return {
        id,
        customer_id: idOf(customer),
        brand,
        last4,
        exp_month,
        exp_year,
        fingerprint: fingerprint ?? null,
      };
    },

    async detachCard(id) {
      await call(() => stripe.paymentMethods.detach(id));
    },

    charge: async ({ payment_id, customer_id, card_id, cents, description }) =>
      paymentOf(
        await call(() =>
          stripe.paymentIntents.create(
            {
              amount: cents,
              currency: 'usd',
              customer: customer_id,
              payment_method: card_id,
              confirm: true,
              off_session: true,
              error_on_requires_action: true,
              description,
              metadata: { [PAYMENT_KEY]: payment_id },
            },
            { idempotencyKey: `charge/${payment_id}` },
          ),
        ),
      ),

    // Listing is exact; Stripe's search may be minutes behind.
    findCharge: ({ payment_id, customer_id, since }) =>
      call(async () => {
        const created = { gte: Math.floor((since.getTime() - CLOCKS_MS) / 1000) };
        let seen = 0;
        for await (const intent of stripe.paymentIntents.list({
          customer: customer_id,
          created,
          limit: 100,
        })) {
          if (intent.metadata[PAYMENT_KEY] === payment_id) return paymentOf(intent);
          if (++seen >= MAX_INTENTS)
            throw new CardError('refused', `The customer ${customer_id} has too many payments.`);
        }
        return null;
      }),

    refund: async ({ intent_id, cents, key }) =>
      refundOf(
        await call(() =>
          stripe.refunds.create(
            { payment_intent: intent_id, amount: cents, metadata: { [REFUND_KEY]: key } },
            { idempotencyKey: `refund/${key}` },
          ),
        ),
      ),

    refunds: async (intent_id) =>
      (
        await call(() =>
          stripe.refunds
            .list({ payment_intent: intent_id, limit: 100 })
            .autoPagingToArray({ limit: MAX_REFUNDS }),
        )
      ).map(refundOf),

    async paymentOf(id) {
      const found = await call<{ payment_intent: string | { id: string } | null }>(() =>
        id.startsWith('ch_') ? stripe.charges.retrieve(id) : stripe.refunds.retrieve(id),
      );
      return idOf(found.payment_intent);
    },

    async dispute(id) {
      const { payment_intent, amount, balance_transactions } = await call(() => stripe.disputes.retrieve(id));
      return {
        id,
        intent_id: idOf(payment_intent),
        cents: amount,
        withdrawn: balance_transactions.some((one) => one.amount < 0),
        reinstated: balance_transactions.some((one) => one.amount > 0),
      };
    },

    verifyEvent(body, signature) {
      for (const secret of webhook_secrets) {
        try {
          stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
        } catch (error) {
          if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue;
          // Signed, but not JSON, or from another kind of webhook.
          throw new CardError('refused', "The event can't be read.");
        }
        const event = eventShape.safeParse(JSON.parse(body.toString('utf8')));
        if (!event.success) throw new CardError('refused', 'The event has no ID, type or object.');
        const { id, type, api_version, account, data } = event.data;
        const object_id = objectId.safeParse(data.object.id);
        if (account !== undefined || !object_id.success) return null;
        return { id, type, api_version, object_id: object_id.data };
      }
      throw new CardError('signature', 'The signature does not match the body.');
    },
  };
}

const renamed = ({
  customer_id,
  ...urls
}: {
  customer_id: string;
  success_url: string;
  cancel_url: string;
}) => ({
  customer: customer_id,
  ...urls,
});

function pageOf({ id, url }: Stripe.Checkout.Session) {
  if (url === null) throw new CardError('refused', 'Stripe returned a session without an address.');
  return { id, url };
}

const eventShape = z.object({
  id: z.string().regex(/^\w{1,255}$/),
  type: z.string().regex(/^[\w.]{1,100}$/),
  api_version: z.string().max(64).nullable(),
  /** A connected account, whose objects don't belong to this one. */
  account: z.string().optional(),
  data: z.object({ object: z.object({ id: z.unknown().optional() }) }),
});
/** Objects this server reads; IDs of plans and coupons may be any text. */
const objectId = z.string().regex(/^\w{1,255}$/);

const checkoutOf = (session: Stripe.Checkout.Session): Checkout => ({
  id: session.id,
  mode: session.mode === 'setup' ? 'setup' : 'payment',
  status: known(['complete', 'expired'], session.status) ?? 'open',
  payment_id: session.metadata?.[PAYMENT_KEY] ?? null,
  customer_id: idOf(session.customer),
  intent_id: idOf(session.payment_intent),
  setup_id: idOf(session.setup_intent),
});

function paymentOf(intent: Stripe.PaymentIntent): CardPayment {
  const payment_id = intent.metadata[PAYMENT_KEY] ?? null;
  // Other systems on the same account may use other currencies.
  if (payment_id !== null && intent.currency !== 'usd')
    throw new CardError('refused', `The payment ${intent.id} is in ${intent.currency}, not in US dollars.`);
  return {
    id: intent.id,
    payment_id,
    customer_id: idOf(intent.customer),
    status: known(['succeeded', 'canceled', 'processing'], intent.status) ?? 'open',
    received_cents: intent.amount_received,
    card_id: intent.setup_future_usage === 'off_session' ? idOf(intent.payment_method) : null,
    paid_with: idOf(intent.payment_method),
    failure: intent.last_payment_error && {
      reason: failureOf(intent.last_payment_error.code),
      message: intent.last_payment_error.message ?? 'Your card was declined.',
    },
  };
}

const failureOf = (code: string | undefined) =>
  code === 'authentication_required' ? 'authentication' : 'declined';

const refundOf = ({ id, amount, status, metadata }: Stripe.Refund): CardRefund => ({
  id,
  cents: amount,
  key: metadata?.[REFUND_KEY] ?? null,
  status:
    status === 'succeeded' ? status : status === 'failed' || status === 'canceled' ? 'failed' : 'pending',
});

/** Returns the value if it is a known one; Stripe may add others. */
const known = <const T extends string>(values: readonly T[], value: string | null): T | undefined =>
  values.find((one) => one === value);

/** Runs a request and classifies its failure. */
async function call<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const { StripeError, StripeCardError, StripeConnectionError, StripeAPIError, StripeRateLimitError } =
      Stripe.errors;
    if (!(error instanceof StripeError)) throw error;
    if (
      error instanceof StripeConnectionError ||
      error instanceof StripeAPIError ||
      error instanceof StripeRateLimitError
    )
      throw new CardError('down', `Stripe isn't responding: ${error.message}`, { cause: error });
    if (error instanceof StripeCardError)
      throw new CardError(failureOf(error.code), error.message, { cause: error });
    if (error.statusCode === 404)
      throw new CardError('gone', `Stripe has no such object: ${error.message}`, { cause: error });
    throw new CardError('refused', `Stripe refused the request: ${error.message}`, { cause: error });
  }
}
