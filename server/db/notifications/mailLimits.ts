import { sql } from 'kysely';
import type { Tx } from '../core/client';

const PER_HOUR = 5;

/**
 * Whether one more mail may go out under this key this hour. Uses the rate limiter's table, which
 * housekeeping empties; the row stays locked until the transaction ends, so that concurrent requests are
 * counted too.
 */
export async function countMail(trx: Tx, key: string): Promise<boolean> {
  const now = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  const { rows } = await sql<{ points: number }>`
    insert into rate_limits as r (key, points, expire) values (${`mail_${key}`}, 1, ${now} + 3600000)
    on conflict (key) do update set
      points = case when coalesce(r.expire, 0) <= ${now} then 1 else r.points + 1 end,
      expire = case when coalesce(r.expire, 0) <= ${now} then excluded.expire else r.expire end
    returning points`.execute(trx);
  return (rows[0]?.points ?? 0) <= PER_HOUR;
}
