import type { Kysely } from 'kysely';
import type { Database } from './schema';
import type { RolloutRow } from './schemaRollouts';

type Db = Kysely<Database>;

const LIVE = ['queued', 'running', 'reverting'] as const;

/** The app's rollout that has not ended; one at most. */
export async function liveRollout(db: Db, app: number): Promise<RolloutRow | null> {
  const row = await db
    .selectFrom('rollouts')
    .selectAll()
    .where('app_id', '=', app)
    .where('state', 'in', [...LIVE])
    .executeTakeFirst();
  return row ?? null;
}
