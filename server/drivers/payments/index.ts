/** Card payments at a provider. Amounts are whole cents of US dollars. */

interface CheckoutRequest {
  /** Public ID of the payment, returned with everything that belongs to it. */
  payment_id: string;
  customer_id: string;
  cents: number;
  description: string;
  /** Keeps the card for later off-session payments. */
  saves_card: boolean;
  success_url: string;
  cancel_url: string;
}

interface HostedPage {
  id: string;
  url: string;
}

/** The current state of a hosted page. */
export interface Checkout {
  id: string;
  mode: 'payment' | 'setup';
  status: 'open' | 'complete' | 'expired';
  /** Public ID of our payment; null if this server didn't open the page. */
  payment_id: string | null;
  customer_id: string | null;
  /** The provider's payment; null until someone tries to pay. */
  intent_id: string | null;
  setup_id: string | null;
}

/** The current state of a payment at the provider. */
export interface CardPayment {
  id: string;
  payment_id: string | null;
  customer_id: string | null;
  status: 'open' | 'processing' | 'succeeded' | 'canceled';
  received_cents: number;
  /** The card it was paid with, if the card was kept. */
  card_id: string | null;
  /** The payment method, kept or not. */
  paid_with: string | null;
  /** Why the last attempt to pay failed. */
  failure: { reason: 'declined' | 'authentication'; message: string } | null;
}

interface SavedCard {
  id: string;
  customer_id: string | null;
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  fingerprint: string | null;
}

export interface CardRefund {
  id: string;
  cents: number;
  /** Idempotency key of the request; null if it was made at the provider. */
  key: string | null;
  /** `failed`: the bank returned it. */
  status: 'pending' | 'succeeded' | 'failed';
}

interface CardDispute {
  id: string;
  intent_id: string | null;
  cents: number;
  /** Whether the money was taken, and whether it was returned. An inquiry takes none. */
  withdrawn: boolean;
  reinstated: boolean;
}

/** A notice that an object may have changed. The object must be read before it counts. */
interface CardEvent {
  id: string;
  type: string;
  object_id: string;
  /** API version of the event; null if unknown. */
  api_version: string | null;
}

export interface CardPayments {
  /** API version of requests and events. */
  readonly version: string;
  /** Creates a team's customer; idempotent. @throws CardError */
  createCustomer(team_id: string): Promise<string>;
  /** Opens a payment's hosted page; idempotent. @throws CardError */
  openCheckout(request: CheckoutRequest): Promise<HostedPage>;
  /** @throws CardError */
  checkout(id: string): Promise<Checkout>;
  /** Closes a hosted page, so that it can't be paid anymore. @returns its current state. @throws CardError */
  expireCheckout(id: string): Promise<Checkout>;
  /** @throws CardError */
  payment(intent_id: string): Promise<CardPayment>;
  /** Opens the hosted page where a card is saved. @throws CardError */
  openSetup(request: { customer_id: string; success_url: string; cancel_url: string }): Promise<HostedPage>;
  /** Returns the card that was saved on a page; null if none was. @throws CardError */
  savedCard(setup_id: string): Promise<string | null>;
  /** @throws CardError */
  card(id: string): Promise<SavedCard>;
  /** Removes a saved card. @throws CardError */
  detachCard(id: string): Promise<void>;
  /**
   * Charges a saved card off-session; idempotent per payment.
   * @throws CardError `declined`, or `authentication` if the holder must confirm it
   */
  charge(request: {
    payment_id: string;
    customer_id: string;
    card_id: string;
    cents: number;
    description: string;
  }): Promise<CardPayment>;
  /**
   * Returns the outcome of a charge whose reply was lost; null if the provider never received it. @throws
   * CardError
   */
  findCharge(request: { payment_id: string; customer_id: string; since: Date }): Promise<CardPayment | null>;
  /** Refunds part of a payment; idempotent per key. @throws CardError */
  refund(request: { intent_id: string; cents: number; key: string }): Promise<CardRefund>;
  /** Returns every refund of a payment. @throws CardError */
  refunds(intent_id: string): Promise<CardRefund[]>;
  /** Returns the payment that a charge or a refund belongs to. @throws CardError */
  paymentOf(id: string): Promise<string | null>;
  /** @throws CardError */
  dispute(id: string): Promise<CardDispute>;
  /**
   * Verifies a received event's signature over its exact bytes. @returns null if it concerns no object that can
   * be read by an ID, such as the account's balance or an object of another account. @throws CardError
   * `signature`
   */
  verifyEvent(body: Buffer, signature: string): CardEvent | null;
}

/**
 * `signature`: not from the provider. `gone`: no such object. `declined`: by the card's bank. `authentication`: the card's
 * holder must confirm it. `refused`: won't succeed if repeated. `down`: try again.
 */
export type CardFailure = 'signature' | 'gone' | 'declined' | 'authentication' | 'refused' | 'down';

/** The message never contains a key. */
export class CardError extends Error {
  constructor(
    readonly failure: CardFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'CardError';
  }
}
