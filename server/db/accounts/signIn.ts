import { sql } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import type { Db, Tx } from '../core/client';
import type { AuthMethod } from './sessionsTable';

export interface NewSession {
  user_id: number;
  token_hash: Buffer;
  auth_method: AuthMethod;
  /** Whether the sign-in presented a second factor. */
  second_factor: boolean;
  ip: string;
  user_agent: string;
  /** Session lifetime in seconds. */
  seconds: number;
  sso_connection_id: number | null;
  /** The session of the same browser that this one replaces. */
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
      sso_connection_id: session.sso_connection_id,
      user_id: session.user_id,
      ip: session.ip,
      user_agent: session.user_agent,
      expires_at: new Date(Date.now() + session.seconds * 1000),
    })
    .execute();
}

/** Returns the session's user, or null when there was none. */
export async function deleteSessionRow(trx: Tx, token_hash: Buffer): Promise<number | null> {
  const row = await trx
    .deleteFrom('sessions')
    .where('token_hash', '=', token_hash)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id ?? null;
}

/** Records that the session is in use, at most once a minute. */
export async function touchSession(db: Db, id: number): Promise<void> {
  await sql`update sessions set last_seen_at = now() where id = ${id} and last_seen_at < now() - interval '1 minute'`.execute(
    db,
  );
}

/**
 * Counts an attempt under each key. Returns, per key, the attempts in its current window and when that ends,
 * in milliseconds from now. Uses the rate limiter's table, which housekeeping empties.
 */
export async function countAttempt(
  db: Db,
  keys: readonly string[],
  windowSeconds: number,
): Promise<{ attempts: number; endsInMs: number }[]> {
  const now = sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
  // One statement with sorted keys: concurrent callers lock rows in the same order, so they can't deadlock.
  const { rows } = await sql<{ attempts: number; ends_in: number }>`
    insert into rate_limits as r (key, points, expire)
    select key, 1, ${now} + ${windowSeconds * 1000}::bigint from unnest(${[...keys].sort()}::text[]) key
    on conflict (key) do update set
      points = case when coalesce(r.expire, 0) <= ${now} then 1 else r.points + 1 end,
      expire = case when coalesce(r.expire, 0) <= ${now} then excluded.expire else r.expire end
    returning points as attempts, expire - ${now} as ends_in`.execute(db);
  return rows.map(({ attempts, ends_in }) => ({ attempts, endsInMs: ends_in }));
}

/**
 * Records where a user signs in from; returns true for a device and country new to a user who has signed in
 * before.
 */
export async function noteDevice(
  trx: Tx,
  user_id: number,
  { device, country }: { device: string; country: string },
): Promise<boolean> {
  const { rows } = await sql<{ added: boolean; others: boolean }>`
    with others as (select 1 from sign_in_devices where user_id = ${user_id} limit 1)
    insert into sign_in_devices as d (user_id, device, country) values (${user_id}, ${device}, ${country})
    on conflict (user_id, device, country) do update set last_seen_at = now()
    returning xmax = 0 as added, exists (select 1 from others) as others`.execute(trx);
  return rows[0]?.added === true && rows[0].others;
}

/** Stores the same password hashed with current parameters; does nothing if it has changed. */
export async function rehashPassword(
  trx: Tx,
  user_id: number,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ password_hash: to })
    .where('id', '=', user_id)
    .where('password_hash', '=', from)
    .execute();
}

/** Records that the session's user confirmed their identity, with or without a second factor. */
export async function confirmSession(
  trx: Tx,
  id: number,
  { second_factor }: { second_factor: boolean },
): Promise<void> {
  const now = sql<Date>`now()`;
  await trx
    .updateTable('sessions')
    .set({ confirmed_at: now, ...(second_factor ? { second_factor_at: now } : {}) })
    .where('id', '=', id)
    .execute();
}
