import { sql } from 'kysely';

const isCurrent = sql`m.began_at > now() - interval '1 minute'`;

/** End of an insert into `ai_key_minutes as m` that adds to the current minute, or begins another. */
export const CONTINUED = sql`on conflict (key_id, unit) do update set
  used = case when ${isCurrent} then m.used else 0 end + excluded.used,
  began_at = case when ${isCurrent} then m.began_at else excluded.began_at end`;
