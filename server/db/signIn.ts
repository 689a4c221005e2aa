import { sql } from 'kysely';
import { publicId } from '../domain/publicId';
import type { Db, Tx } from './client';
import type { AuthMethod } from './schemaPeople';

export interface NewSession {
  user_id: number;
  token_hash: Buffer;
  auth_method: AuthMethod;
  /** The sign-in showed a second factor. */
  second_factor: boolean;
  ip: string;
  user_agent: string;
  /** Seconds it lives. */
  seconds: number;
  /** Session of the same browser that this one takes the place of. */
  replaces: Buffer | null;
}

export async function createSessionRow(trx: Tx, session: NewSession): Promise<void> {
  if (session.replaces) await deleteSessionRow(trx, session.replaces);
  await trx
    .insertInto('sessions')
    .values({
      public_id: publicId('ses'),
      token_hash: session.token_hash,
      auth_method: session.auth_method,
      second_factor_at: session.second_factor ? new Date() : null,
      user_id: session.user_id,
      ip: session.ip,
      user_agent: session.user_agent,
      expires_at: new Date(Date.now() + session.seconds * 1000),
    })
    .execute();
}

/** The person whose session it was, or null when there was none. */
export async function deleteSessionRow(trx: Tx, token_hash: Buffer): Promise<number | null> {
  const row = await trx
    .deleteFrom('sessions')
    .where('token_hash', '=', token_hash)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Notes that the session is in use, at most once a minute. */
export async function touchSession(db: Db, id: number): Promise<void> {
  await sql`update sessions set last_seen_at = now() where id = ${id} and last_seen_at < now() - interval '1 minute'`.execute(
    db,
  );
}

/**
 * Counts an attempt under each key before it is judged, so that guesses sent side by side do not all slip through
 * before the first one failed. Per key the attempts of its running window and when that ends, in milliseconds from
 * now. Lives in the rate limiter's table, which housekeeping empties.
 */
export async function countAttempt(
  db: Db,
  keys: readonly string[],
  windowSeconds: number,
): Promise<{ attempts: number; endsInMs: number }[]> {
  const now = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  // One statement, keys in one order: whoever is counted first under one is first under all, and nobody deadlocks.
  const { rows } = await sql<{ attempts: number; ends_in: number }>`
    insert into rate_limits as r (key, points, expire)
    select key, 1, ${now} + ${windowSeconds * 1000}::bigint from unnest(${[...keys].sort()}::text[]) key
    on conflict (key) do update set
      points = case when coalesce(r.expire, 0) <= ${now} then 1 else r.points + 1 end,
      expire = case when coalesce(r.expire, 0) <= ${now} then excluded.expire else r.expire end
    returning points as attempts, expire - ${now} as ends_in`.execute(db);
  return rows.map(({ attempts, ends_in }) => ({ attempts, endsInMs: ends_in }));
}

/** The attempt was right: it does not count, and with `all` neither do the ones before it. */
export async function forgiveAttempt(db: Db, key: string, all: boolean): Promise<void> {
  await (
    all
      ? sql`delete from rate_limits where key = ${key}`
      : sql`update rate_limits set points = greatest(points - 1, 0) where key = ${key}`
  ).execute(db);
}
