import { cardOfTeam, forgetCard } from '../../db/billing/autoTopUps';
import { Problem } from '../../domain/core/problem';
import { holdTeam, teamOf } from '../core/caller';
import type { Handler } from '../types';
import { atProvider, cardsOf } from './cards';

/** Removed at Stripe first: if this server forgot the card first, it could no longer be removed. */
export const deleteCard: Handler<'deleteCard'> = async ({ ctx }) => {
  const card = await cardOfTeam(ctx.db, teamOf(ctx).id);
  if (!card) throw new Problem('NOT_FOUND', { message: 'The team has no saved card.' });
  await atProvider(cardsOf(ctx).detachCard(card.card_id));
  return ctx.write(async ({ trx, audit }) => {
    await holdTeam(trx, ctx, 'billing.manage');
    await forgetCard(trx, card.card_id, null);
    const { brand, last4 } = card;
    await audit({
      action: 'card.remove',
      target_kind: 'card',
      target_id: card.card_id,
      before: { brand, last4 },
    });
    return { status: 204 } as const;
  });
};
