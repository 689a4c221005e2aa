import { Problem } from '../../domain/core/problem';
import { CardError, type CardPayments } from '../../drivers/payments';
import type { Context } from '../types';

/** Returns the driver of card payments. @throws CARD_PAYMENTS_DOWN if the server takes no cards anymore */
export function cardsOf(ctx: Context): CardPayments {
  if (!ctx.cards)
    throw new Problem('CARD_PAYMENTS_DOWN', { message: "This server doesn't take cards.", suggestions: [] });
  return ctx.cards;
}

/** Reports a provider that doesn't respond, or refuses, as such. @throws CARD_PAYMENTS_DOWN */
export async function atProvider<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof CardError)) throw error;
    throw new Problem('CARD_PAYMENTS_DOWN', { cause: error });
  }
}
