import { billingPath } from '../../../console/lib/paths';
import { customerOf, keepCustomer } from '../../db/billing/cardPayments';
import { Problem } from '../../domain/core/problem';
import { CardError, type CardPayments } from '../../drivers/payments';
import { membershipOf } from '../core/caller';
import type { Context } from '../types';

/** Returns the card payment driver. @throws CARD_PAYMENTS_DOWN if the server no longer takes cards */
export function cardsOf(ctx: Context): CardPayments {
  if (!ctx.cards)
    throw new Problem('CARD_PAYMENTS_DOWN', {
      message: "This server doesn't accept cards.",
      suggestions: [],
    });
  return ctx.cards;
}

/** Reports a provider that doesn't respond or refuses. @throws CARD_PAYMENTS_DOWN */
export async function atProvider<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof CardError)) throw error;
    throw new Problem('CARD_PAYMENTS_DOWN', { cause: error });
  }
}

/** Returns the team's customer at Stripe, and the page payers return to. @throws CARD_PAYMENTS_DOWN */
export async function customerFor(ctx: Context): Promise<{ customer_id: string; back: string }> {
  const cards = cardsOf(ctx);
  const team = await membershipOf(ctx);
  let customer_id = await customerOf(ctx.db, team.id);
  if (customer_id === null) {
    customer_id = await atProvider(cards.createCustomer(team.public_id));
    await keepCustomer(ctx.db, team.id, customer_id);
  }
  return { customer_id, back: `${ctx.config.publicUrl}${billingPath(team.slug)}` };
}
