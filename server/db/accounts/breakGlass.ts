import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';

/** Links of `teehouse break-glass`, and the sessions that they opened. */

export async function insertBreakGlassLink(
  trx: Tx,
  { seconds, ...link }: { token_hash: Buffer; user_id: number; reason: string; seconds: number },
): Promise<{ expires_at: Date }> {
  return trx
    .insertInto('break_glass_links')
    .values({ ...link, expires_at: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
}

/**
 * Uses the link up and returns its user; null if it was used, has expired or doesn't exist. One conditional
 * update: of two concurrent requests one succeeds, and a process that dies before the commit uses nothing up.
 * @param session_seconds maximum lifetime of the session it opens
 */
export async function takeBreakGlassLink(
  trx: Tx,
  token_hash: Buffer,
  session_seconds: number,
): Promise<{ user_id: number; reason: string; session_ends_at: Date } | null> {
  const { rows } = await sql<{ user_id: number; reason: string; session_ends_at: Date }>`
    update break_glass_links
    set used_at = now(), session_ends_at = now() + make_interval(secs => ${session_seconds})
    where token_hash = ${token_hash} and used_at is null and expires_at > now()
    returning user_id, reason, session_ends_at`.execute(trx);
  return rows[0] ?? null;
}

export interface OpenBreakGlass {
  username: string;
  reason: string;
  ends_at: Date;
}

/** Returns the open sessions, newest first. Each belongs to the user's latest link before it. */
export async function openBreakGlass(db: Db): Promise<OpenBreakGlass[]> {
  const { rows } = await sql<OpenBreakGlass>`
    select u.username, l.reason, s.expires_at as ends_at
    from sessions s
    join users u on u.id = s.user_id
    join lateral (
      select reason from break_glass_links b where b.user_id = s.user_id and b.used_at <= s.created_at
      order by b.used_at desc limit 1
    ) l on true
    where s.user_id in (select user_id from break_glass_links where session_ends_at > now())
      and s.auth_method = 'break_glass' and s.expires_at > now()
    order by s.id desc limit 10`.execute(db);
  return rows;
}

/** Returns the addresses of administrators who can sign in. */
export async function administratorsToNotify(db: Db | Tx): Promise<{ id: number; email: string }[]> {
  return db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('platform_role', '=', 'admin')
    .where('state', '=', 'active')
    .orderBy('id')
    .limit(200)
    .execute();
}
