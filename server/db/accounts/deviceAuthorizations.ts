import { sql, type Selectable } from 'kysely';
import { newUserCode } from '../../domain/accounts/deviceCode';
import type { Db, Tx } from '../core/client';
import type { DeviceAuthorizationsTable } from './deviceAuthorizationsTable';

export type DeviceAuthorizationRow = Selectable<DeviceAuthorizationsTable>;

export interface NewDeviceAuthorization {
  device_code_hash: Buffer;
  client_id: string;
  scopes: string[];
  ip: string;
  user_agent: string;
  seconds: number;
  poll_interval_seconds: number;
}

export async function createDeviceAuthorization(
  db: Db,
  { seconds, ...values }: NewDeviceAuthorization,
): Promise<DeviceAuthorizationRow> {
  for (;;) {
    const row = await db
      .insertInto('device_authorizations')
      .values({
        ...values,
        user_code: newUserCode(),
        team_id: null,
        user_id: null,
        last_polled_at: null,
        expires_at: new Date(Date.now() + seconds * 1000),
      })
      .onConflict((conflict) => conflict.column('user_code').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (row) return row;
  }
}

export function findByUserCode(db: Db, user_code: string): Promise<DeviceAuthorizationRow | undefined> {
  return db
    .selectFrom('device_authorizations')
    .selectAll()
    .where('user_code', '=', user_code)
    .executeTakeFirst();
}

/**
 * Records a poll; returns the login's state and how long ago the previous poll was (null: the first). Polls
 * of one code are serialized, so concurrent polls can't all look on schedule.
 */
export async function notePoll(
  trx: Tx,
  device_code_hash: Buffer,
): Promise<{ row: DeviceAuthorizationRow; seconds_since: number | null } | undefined> {
  const row = await trx
    .selectFrom('device_authorizations')
    .selectAll()
    .select(
      sql<number | null>`extract(epoch from clock_timestamp() - last_polled_at)::float8`.as('seconds_since'),
    )
    .where('device_code_hash', '=', device_code_hash)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  await trx
    .updateTable('device_authorizations')
    .set({ last_polled_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', row.id)
    .execute();
  const { seconds_since, ...rest } = row;
  return { row: rest, seconds_since };
}

export async function slowDown(trx: Tx, id: number, poll_interval_seconds: number): Promise<void> {
  await trx
    .updateTable('device_authorizations')
    .set({ poll_interval_seconds })
    .where('id', '=', id)
    .execute();
}

/** Approves or denies a pending login; returns undefined when it is no longer pending. */
export function decide(
  trx: Tx,
  user_code: string,
  decision:
    | { state: 'approved'; user_id: number; team_id: number; scopes: string[]; via_sso: boolean }
    | { state: 'denied'; user_id: number; team_id: null },
): Promise<DeviceAuthorizationRow | undefined> {
  return trx
    .updateTable('device_authorizations')
    .set(decision)
    .where('user_code', '=', user_code)
    .where('state', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
}

/** Takes an approved login for its one token; of concurrent polls, one gets the row. */
export async function redeem(
  trx: Tx,
  id: number,
): Promise<(DeviceAuthorizationRow & { user_id: number; team_id: number }) | undefined> {
  const row = await trx
    .updateTable('device_authorizations')
    .set({ state: 'used' })
    .where('id', '=', id)
    .where('state', '=', 'approved')
    .where('expires_at', '>', sql<Date>`now()`)
    .returningAll()
    .executeTakeFirst();
  if (!row || row.user_id === null || row.team_id === null) return undefined;
  return { ...row, user_id: row.user_id, team_id: row.team_id };
}
