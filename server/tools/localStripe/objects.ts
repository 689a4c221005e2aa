/** The part of Stripe's objects that the local server keeps; field names and values are Stripe's. */

type Metadata = Record<string, string>;

interface Base {
  id: string;
  created: number;
  livemode: false;
}

interface Customer extends Base {
  object: 'customer';
  metadata: Metadata;
}

export interface PaymentMethod extends Base {
  object: 'payment_method';
  type: 'card';
  card: { brand: string; last4: string; exp_month: number; exp_year: number; fingerprint: string };
  customer: string | null;
}

export interface CheckoutSession extends Base {
  object: 'checkout.session';
  mode: 'payment' | 'setup';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid' | 'no_payment_required';
  url: string | null;
  customer: string;
  payment_intent: string | null;
  setup_intent: string | null;
  client_reference_id: string | null;
  amount_total: number | null;
  currency: string | null;
  success_url: string;
  cancel_url: string | null;
  expires_at: number;
  metadata: Metadata;
  /** Values for the payment intent once paid. */
  intent: { metadata: Metadata; setup_future_usage: 'off_session' | null; description: string | null };
}

export interface PaymentIntent extends Base {
  object: 'payment_intent';
  amount: number;
  amount_received: number;
  currency: string;
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
  customer: string | null;
  payment_method: string | null;
  latest_charge: string | null;
  setup_future_usage: 'off_session' | null;
  description: string | null;
  last_payment_error: Record<string, unknown> | null;
  metadata: Metadata;
}

interface SetupIntent extends Base {
  object: 'setup_intent';
  status: 'requires_payment_method' | 'succeeded';
  customer: string;
  payment_method: string | null;
  metadata: Metadata;
}

export interface Charge extends Base {
  object: 'charge';
  amount: number;
  amount_refunded: number;
  refunded: boolean;
  disputed: boolean;
  paid: boolean;
  status: 'succeeded' | 'failed';
  currency: string;
  customer: string | null;
  payment_intent: string;
  payment_method: string | null;
}

export interface Refund extends Base {
  object: 'refund';
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string;
  status: 'pending' | 'succeeded' | 'failed';
  metadata: Metadata;
}

export interface Dispute extends Base {
  object: 'dispute';
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string;
  status: 'warning_needs_response' | 'warning_closed' | 'needs_response' | 'won' | 'lost';
  reason: string;
  /** Balance transactions: amounts taken from the account and returned. */
  balance_transactions: { id: string; object: 'balance_transaction'; amount: number }[];
  metadata: Metadata;
}

export type StripeObject =
  | Customer
  | PaymentMethod
  | CheckoutSession
  | PaymentIntent
  | SetupIntent
  | Charge
  | Refund
  | Dispute;

export interface StripeEvent extends Base {
  object: 'event';
  api_version: string;
  type: string;
  data: { object: StripeObject };
}

/** Test cards by their last four digits, with Stripe's meaning. */
export const CARDS = {
  '4242': 'succeeds',
  /** Declined on every charge, including off-session, but can be saved. */
  '0341': 'declines',
  /** Needs the payer's authentication when it is charged off-session. */
  '3184': 'authenticates',
} as const;
export type CardDigits = keyof typeof CARDS;
