import { sql, type RawBuilder } from 'kysely';

/**
 * Whether an offer's capacity is still held: it hasn't expired, and no deployment there uses it. A deployment that is
 * abandoned before it is committed leaves the offer open again, and one on another host leaves it open until it is
 * committed, because its reservation takes nothing here.
 * @param wait the row of gpu_waits
 */
export const isOpenOffer = (wait = 'gpu_waits'): RawBuilder<boolean> => {
  const w = sql.table(wait);
  // One lookup per row: "not exists" would read all reservations into a hash.
  return sql<boolean>`(${w}.held_until > now() and coalesce((
    select u.expires_at is not null and (u.expires_at <= now() or u.teepod_id <> ${w}.teepod_id)
    from reservations u where u.id = ${w}.reservation_id), true))`;
};
