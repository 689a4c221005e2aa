import { sql } from 'kysely';
import { CARD_EXPIRY_DAYS, type ExpiringCard } from '../../../domain/billing/cardExpiry';
import type { Tx } from '../../core/client';

/**
 * Returns cards in use for payments that expire soon, and records that payers are warned: once per card, and
 * again when its expiry month changes.
 */
export async function noteExpiringCards(
  trx: Tx,
  now: Date,
  limit: number,
): Promise<(ExpiringCard & { team_id: number; card_id: string })[]> {
  const { rows } = await sql<ExpiringCard & { team_id: number; card_id: string }>`
    update team_cards set expiry_told_for = ${told} where team_id in (
      select c.team_id from team_cards c join teams t on t.id = c.team_id and t.deleted_at is null
      cross join lateral (select (make_date(c.exp_year, 1, 1) + make_interval(months => c.exp_month::int))
        at time zone 'UTC' as ends_at) e
      where ${now} < e.ends_at and e.ends_at <= ${now}::timestamptz + make_interval(days => ${CARD_EXPIRY_DAYS}::int)
        and (t.post_paid_cap_micros > 0
          or exists (select from auto_top_ups a where a.team_id = c.team_id and a.enabled))
        and c.expiry_told_for is distinct from ${told}
      order by c.team_id limit ${limit} for update of c skip locked)
    returning team_id, card_id, brand, last4, exp_month, exp_year`.execute(trx);
  return rows;
}

/** Identifies a card, and distinguishes its renewals. */
const told = sql`card_id || ' ' || exp_year || '-' || exp_month`;
