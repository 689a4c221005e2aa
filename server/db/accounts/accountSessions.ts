import { sql } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import type { Db, Tx } from '../core/client';
import type { SessionRow } from './sessionsTable';

/** The list limit in the API document. */
const MAX_SESSIONS = 200;

/** Returns live sessions, most recently used first. */
export const listSessionsOf = (db: Db, user_id: number): Promise<SessionRow[]> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('expires_at', '>', new Date())
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SESSIONS)
    .execute();

/** Ends sessions except `keep`, and every sign-in waiting for a second factor. @returns how many sessions ended */
export async function endSessions(trx: Tx, user_id: number, keep: number | null = null): Promise<number> {
  let query = trx.deleteFrom('sessions').where('user_id', '=', user_id);
  if (keep !== null) query = query.where('id', '<>', keep);
  const ended = await query.executeTakeFirst();
  await trx.deleteFrom('pending_sign_ins').where('user_id', '=', user_id).execute();
  return Number(ended.numDeletedRows);
}

/** Returns undefined when the user has no such session. */
export const endSession = (trx: Tx, user_id: number, public_id: string): Promise<SessionRow | undefined> =>
  trx
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('public_id', '=', public_id)
    .returningAll()
    .executeTakeFirst();

/**
 * Continues the session under a new token, so a stolen copy of the old token stops working. Inserts a new row
 * so that streams the old session opened are closed too.
 */
export async function renewSession(
  trx: Tx,
  id: number,
  { token_hash, seconds }: { token_hash: Buffer; seconds: number },
): Promise<void> {
  await sql`
    with old as (delete from sessions where id = ${id} returning *)
    insert into sessions (public_id, token_hash, user_id, ip, user_agent, auth_method, second_factor_at, sso_connection_id,
      confirmed_at, created_at, last_seen_at, expires_at)
    select ${publicId('ses')}, ${token_hash}, user_id, ip, user_agent, auth_method, second_factor_at, sso_connection_id,
      now(), created_at, now(),
      -- The short lifetime of staff sessions isn't extended.
      case when auth_method in ('staff_sso', 'break_glass') then expires_at else now() + make_interval(secs => ${seconds}) end
    from old`.execute(trx);
}
