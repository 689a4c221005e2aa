import { sql } from 'kysely';
import type { Db } from '../db/core/client';

/** Lets everything past its age be deleted, as if that had been announced two weeks ago. */
export async function announceDeletions(db: Db): Promise<void> {
  await sql`
    insert into retention_notices (kind, team_id, announced_at, starts_at, covers_until)
    select kind, team_id, now() - interval '15 days', now() - interval '1 day', now() + interval '75 days' from (
      select kind, t.id as team_id from teams t, unnest(array['events', 'webhook_deliveries', 'rollouts', 'ai_requests']) kind
      union all
      select kind, null from unnest(array['alerts', 'bulk_jobs', 'gpu_events', 'abuse_reports']) kind
    ) told
    on conflict (kind, team_id) do update set starts_at = excluded.starts_at, covers_until = excluded.covers_until`.execute(
    db,
  );
}
