import { appendAudit } from '../../db/audit/auditLog';
import {
  cardsOfDeletedTeams,
  forgetCard,
  removeCardAfter,
  type TeamCardRow,
} from '../../db/billing/autoTopUps';
import { withTransaction } from '../../db/core/client';
import { CardError, type CardPayments } from '../../drivers/payments';
import type { CardParts } from './cardEvents';

/** Cards removed per run; the rest is due in the next. */
const BATCH_SIZE = 50;
/** A card that Stripe couldn't remove is tried again after this interval, so that it delays no other. */
const RETRY_MS = 60 * 60_000;

/**
 * Removes the saved cards of deleted teams, at Stripe first: if this server forgot a card first, it could no
 * longer be removed.
 */
export async function removeCards({ db, cards, log, now }: CardParts & { now: Date }): Promise<void> {
  for (const card of await cardsOfDeletedTeams(db, now, BATCH_SIZE)) {
    try {
      await detach(cards, card);
    } catch (err) {
      log.warn(
        { err, team: card.team_id },
        "couldn't remove the card of a deleted team; retrying in an hour",
      );
      await removeCardAfter(db, card.card_id, new Date(now.getTime() + RETRY_MS));
      continue;
    }
    const { team_id, card_id, brand, last4 } = card;
    await withTransaction(db, async (trx) => {
      if ((await forgetCard(trx, card_id, null)) === null) return;
      const removed = { action: 'card.remove', target_kind: 'card', target_id: card_id } as const;
      await appendAudit(trx, [{ actor_kind: 'system', team_id, ...removed, before: { brand, last4 } }]);
    });
  }
}

/** @throws {CardError} if Stripe still has the card */
async function detach(cards: CardPayments, { card_id }: TeamCardRow): Promise<void> {
  try {
    await cards.detachCard(card_id);
  } catch (error) {
    if (!(error instanceof CardError) || error.failure === 'down') throw error;
    // Removed there already.
    if (error.failure === 'gone' || (await cards.card(card_id)).customer_id === null) return;
    throw error;
  }
}
