import { sql } from 'kysely';
import type { Db } from '../db/core/client';
import { identityOf } from '../testing/cvmFixtures';
import { EMAIL } from './seed';

/** Batch size that stays within the statement timeout on a slow machine: each row's words are indexed. */
const BATCH = 20_000;

/**
 * Seeds events for the existing CVMs over ten months: mostly from hosts, some from users, few failures, one rare word
 * and one that only the oldest contain.
 * @param byUser whether users' events name the seeded user; otherwise they name no one
 */
export async function seedEvents(db: Db, count: number, byUser: boolean): Promise<void> {
  const { team_id, user_id } = await identityOf(db, EMAIL);
  const { rows } = await sql<{ count: number }>`select count(*) as count from cvms`.execute(db);
  const cvms = rows[0]?.count ?? 1;
  await sql`alter table events disable trigger user`.execute(db);
  for (let from = 0; from < count; from += BATCH)
    await sql`
      insert into events (team_id, app_id, cvm_id, actor_id, kind, severity, message, created_at)
      select ${team_id}, c.app_id, c.id, case when n % 3 = 0 then ${byUser ? user_id : null}::bigint end,
        case when n % 500 = 0 then 'update.failed' when n % 3 = 0 then 'deploy.succeeded' else 'host.boot.progress' end,
        case when n % 500 = 0 then 'error' when n % 97 = 1 and n % 3 = 0 then 'warning' else 'info' end,
        case when n % 500 = 0 then 'Update failed: the host eu-' || n % 7 || ' does not answer'
          else 'Boot: step ' || n % 13 end
          || case when n % 99991 = 5 then ' Zanzibar' else '' end || case when n < 200 then ' ancient' else '' end,
        '2026-01-15'::timestamptz + n * (interval '300 days' / ${count}::int)
      from generate_series(${from}::int, ${Math.min(count, from + BATCH) - 1}::int) n
      join (select id, app_id, row_number() over (order by id) - 1 as at from cvms) c on c.at = n % ${cvms}::int`.execute(
      db,
    );
  await sql`alter table events enable trigger user`.execute(db);
  await sql`vacuum analyze events`.execute(db);
}
