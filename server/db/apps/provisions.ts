import { sql } from 'kysely';
import type { Db } from '../core/client';

/** Whether a provision or an app has this ID (40 hex digits, lowercase). */
export async function isAppIdTaken(db: Db, app_id: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select exists (select 1 from provisions where app_id = ${app_id})
        or exists (select 1 from apps where app_id = ${app_id}) as taken`.execute(db);
  return rows[0]?.taken ?? false;
}
