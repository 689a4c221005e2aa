import { sql } from 'kysely';
import { publicId } from '../domain/publicId';
import type { Db, Tx } from './client';
import type { SessionRow } from './schemaPeople';

/** As many as the document's list may have. */
const MOST = 200;

/** Sessions that work, last used first. */
export const listSessionsOf = (db: Db, user_id: number): Promise<SessionRow[]> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('expires_at', '>', new Date())
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute();

/** Also every sign-in that waits for a second factor. @returns how many sessions ended, `keep` not among them */
export async function endSessions(trx: Tx, user_id: number, keep: number | null = null): Promise<number> {
  let query = trx.deleteFrom('sessions').where('user_id', '=', user_id);
  if (keep !== null) query = query.where('id', '<>', keep);
  const ended = await query.executeTakeFirst();
  await trx.deleteFrom('pending_sign_ins').where('user_id', '=', user_id).execute();
  return Number(ended.numDeletedRows);
}

/** Undefined when the person has no such session. */
export const endSession = (trx: Tx, user_id: number, public_id: string): Promise<SessionRow | undefined> =>
  trx
    .deleteFrom('sessions')
    .where('user_id', '=', user_id)
    .where('public_id', '=', public_id)
    .returningAll()
    .executeTakeFirst();

/**
 * The session goes on under another token: whoever has a copy of the old one is out. A row of its own, so that what the
 * old one had open is cut as well.
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
      now(), created_at, now(), now() + make_interval(secs => ${seconds})
    from old`.execute(trx);
}
