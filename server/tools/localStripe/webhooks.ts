import Stripe from 'stripe';
import type { StripeEvent } from './objects';

export interface WebhookOptions {
  url: string | null;
  secret: string;
  /** Maximum delivery attempts; Stripe retries for three days. */
  tries?: number;
}

/** Delay before a failed delivery is retried, and the default maximum of attempts. */
const RETRY_MS = 200;
const MAX_ATTEMPTS = 50;

/**
 * Sends signed events to one endpoint, each until accepted. While held, events are collected, so that a test can
 * send them in another order, twice, or never.
 */
export class Webhooks {
  readonly held: StripeEvent[] = [];
  #holds = false;
  #stopped = false;
  readonly #running = new Set<Promise<unknown>>();

  constructor(readonly options: WebhookOptions) {}

  publish(event: StripeEvent): void {
    if (this.#holds || this.options.url === null) this.held.push(event);
    else this.#start(this.#untilAccepted(event));
  }

  /** Starts holding events. */
  hold(): void {
    this.#holds = true;
  }

  /** Sends held events in the given order, `times` each and concurrently, then stops holding. */
  async release({ reverse = false, times = 1 }: { reverse?: boolean; times?: number } = {}): Promise<void> {
    this.#holds = false;
    const events = this.held.splice(0);
    if (reverse) events.reverse();
    const copies = events.flatMap((event) => Array.from({ length: times }, () => event));
    await Promise.all(copies.map((event) => this.#untilAccepted(event)));
  }

  /** Sends an event once. @returns the status of the reply */
  async send(event: StripeEvent, change: { body?: string; signature?: string } = {}): Promise<number> {
    const { url } = this.options;
    if (url === null) throw new Error('No webhook endpoint is set.');
    const body = change.body ?? JSON.stringify(event, null, 2);
    const signature = change.signature ?? this.sign(JSON.stringify(event, null, 2));
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
      body,
    });
    await reply.arrayBuffer();
    return reply.status;
  }

  /** Returns the header of a body. @param timestamp Unix seconds */
  sign(payload: string, timestamp?: number): string {
    const { secret } = this.options;
    return Stripe.webhooks.generateTestHeaderString({
      payload,
      secret,
      ...(timestamp === undefined ? {} : { timestamp }),
    });
  }

  /** Returns whether every event not held has been delivered or dropped. */
  idle(): boolean {
    return this.#running.size === 0;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  #start(work: Promise<unknown>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async #untilAccepted(event: StripeEvent): Promise<void> {
    const { tries: most = MAX_ATTEMPTS } = this.options;
    for (let tries = 0; tries < most && !this.#stopped; tries++) {
      const status = await this.send(event).catch(() => 0);
      if (status >= 200 && status < 300) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
