import { sql, type RawBuilder } from 'kysely';
import type { AdminUser } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Tx } from '../core/client';
import type { UserRow } from './usersTable';

export interface AdminUserRow extends Pick<
  UserRow,
  | 'id'
  | 'public_id'
  | 'username'
  | 'state'
  | 'platform_role'
  | 'email_verified_at'
  | 'created_at'
  | 'updated_at'
> {
  /** Null when the caller may not see it. */
  email: string | null;
  second_factor: boolean;
  team_count: number;
  cvm_count: number;
  session_count: number;
  token_count: number;
  last_seen_at: Date | null;
}

const fields = {
  id: 'integer',
  public_id: 'text',
  username: 'text',
  email: 'text',
  state: 'text',
  platform_role: 'text',
  email_verified_at: 'time',
  second_factor: 'boolean',
  team_count: 'none',
  cvm_count: 'none',
  session_count: 'none',
  token_count: 'none',
  last_seen_at: 'none',
  created_at: 'time',
  updated_at: 'time',
} satisfies Record<keyof AdminUser, AdminFieldKind>;

const keys = (
  email: RawBuilder<unknown>,
) => sql`select u.id, u.public_id, u.username, ${email} as email, u.state,
    u.platform_role, u.email_verified_at, u.second_factor_at is not null as second_factor, u.created_at, u.updated_at
  from users u`;

const select = (email: RawBuilder<unknown>) => sql<AdminUserRow>`select k.*,
    (select count(*)::int from memberships m join teams t on t.id = m.team_id and t.deleted_at is null
      where m.user_id = k.id) as team_count,
    (select count(*)::int from cvms c where c.created_by = k.id and c.deleted_at is null) as cvm_count,
    (select count(*)::int from sessions s where s.user_id = k.id and s.expires_at > now()) as session_count,
    (select count(*)::int from api_tokens t where t.user_id = k.id and t.revoked_at is null
      and (t.expires_at is null or t.expires_at > now())) as token_count,
    (select max(s.last_seen_at) from sessions s where s.user_id = k.id) as last_seen_at
  from (${keys(email)}) k`;

const source = (email: RawBuilder<unknown>): Pick<AdminListSource<AdminUserRow>, 'select' | 'large'> => ({
  select: select(email),
  // Computed columns are evaluated for the page only.
  large: { keys: keys(email), indexed: ['created_at', 'id'], thenBy: 'id' },
});

export const adminUsers: AdminListSource<AdminUserRow> = {
  fields,
  searched: ['username', 'email', 'public_id'],
  ...source(sql`u.email`),
};

/** For callers who may not see addresses: not shown, searched, sorted or filtered. */
export const adminUsersWithoutEmail: AdminListSource<AdminUserRow> = {
  fields: { ...fields, email: 'none' },
  searched: ['username', 'public_id'],
  ...source(sql`null::text`),
};

/** The fields that decide whether a user may be changed. */
export type LockedUser = Pick<UserRow, 'id' | 'username' | 'state' | 'platform_role' | 'updated_at'>;

export const lockUser = (trx: Tx, id: number): Promise<UserRow | undefined> =>
  trx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** The same row, for callers that need only these fields. */
export const lockPerson = (trx: Tx, id: number): Promise<LockedUser | undefined> => lockUser(trx, id);

/** Held until the transaction ends by any change that may remove the last platform admin. */
const PLATFORM_ADMINS_LOCK = 7_201_021;

/** Whether another platform admin can still sign in. */
export async function isAnotherAdmin(trx: Tx, user_id: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${PLATFORM_ADMINS_LOCK})`.execute(trx);
  const row = await trx
    .selectFrom('users')
    .select('id')
    .where('platform_role', '=', 'admin')
    .where('state', '=', 'active')
    .where('id', '<>', user_id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function setUserState(trx: Tx, id: number, state: 'active' | 'suspended'): Promise<void> {
  await trx.updateTable('users').set({ state, updated_at: new Date() }).where('id', '=', id).execute();
}

/** Counts tokens that aren't revoked. They are refused while their user is suspended and work again afterward. */
export async function countTokensOf(trx: Tx, user_id: number): Promise<number> {
  const row = await trx
    .selectFrom('api_tokens')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Denies device logins that the user approved but whose token hasn't been fetched. */
export async function denyCommandLines(trx: Tx, user_id: number): Promise<void> {
  await trx
    .updateTable('device_authorizations')
    .set({ state: 'denied' })
    .where('user_id', '=', user_id)
    .where('state', '=', 'approved')
    .execute();
}

/** Authenticator app, passkeys and recovery codes. */
export async function removeSecondFactors(trx: Tx, user_id: number): Promise<void> {
  for (const table of ['totp_credentials', 'passkeys', 'recovery_codes'] as const)
    await trx.deleteFrom(table).where('user_id', '=', user_id).execute();
}
