import { formatMicros } from '../../../console/lib/billing/money';
import type { CardSettings } from '../../../generated/api/types.gen';
import { thresholdOf } from '../../domain/billing/autoTopUp';
import { autoTopUpOf, cardOfTeam, waitingAutoPayment } from '../../db/billing/autoTopUps';
import type { Db, Tx } from '../../db/core/client';

/** Returns a team's card and automatic payments as the API shows them. */
export async function cardSettings(db: Db | Tx, team_id: number): Promise<CardSettings> {
  const card = await cardOfTeam(db, team_id);
  const auto = await autoTopUpOf(db, team_id);
  return {
    card: card
      ? {
          brand: card.brand,
          last4: card.last4,
          exp_month: card.exp_month,
          exp_year: card.exp_year,
          saved_at: card.created_at.toISOString(),
          consent: card.consent,
        }
      : null,
    auto_top_up: auto
      ? {
          enabled: auto.enabled,
          amount: formatMicros(auto.amount_micros),
          threshold: formatMicros(thresholdOf(auto)),
          consent: auto.consent,
          consented_at: auto.consented_at.toISOString(),
          stopped_reason: auto.stopped_reason,
          waiting_payment: await waitingAutoPayment(db, team_id),
        }
      : null,
  };
}
