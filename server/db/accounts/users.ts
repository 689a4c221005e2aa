import { sql } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import { endSessions } from './accountSessions';
import type { Db, Tx } from '../core/client';
import { dropEmailChange } from './emailChanges';
import type { UserRow } from './usersTable';
import { endSsoLinks } from '../teams/ssoLinks';
import { allowLocalTeepod } from '../hosts/teepodTeams';
import { endStaffLinks } from './staffIdentities';

/** Guards every check for "is this the first account"; held until the transaction ends. */
const FIRST_ACCOUNT_LOCK = 7_201_001;

export interface NewUser {
  email: string;
  username: string;
  password_hash: string | null;
  /** The address is confirmed, or an administrator vouches for it. */
  verified: boolean;
  admin: boolean;
  /** Overrides for the first account of an installation. */
  first: { verified: boolean; admin: boolean };
}

/** Whether the installation has no account yet; a deleted account counts. */
export const hasNoAccount = async (db: Db | Tx): Promise<boolean> =>
  (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;

/** The same, locked until the transaction ends: of concurrent first registrations, one gets true. */
export async function lockFirstAccount(trx: Tx): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`.execute(trx);
  return hasNoAccount(trx);
}

/** Creates an account; returns null when the address already has one. */
export async function createUser(trx: Tx, user: NewUser): Promise<{ user: UserRow; first: boolean } | null> {
  const first = await lockFirstAccount(trx);
  const admin = user.admin || (first && user.first.admin);
  const verified = user.verified || (first && user.first.verified);
  const row = await trx
    .insertInto('users')
    .values({
      public_id: publicId('usr'),
      email: user.email,
      username: user.username,
      password_hash: user.password_hash,
      platform_role: admin ? 'admin' : null,
      email_verified_at: verified ? new Date() : null,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ? { user: row, first } : null;
}

export function findUserByEmail(db: Db | Tx, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
}

export function findUser(db: Db | Tx, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Sets the password and ends every session and every sign-in waiting for a second factor, so that anyone who
 * knew the old one is signed out. Tokens stay; they are revoked separately. Null: password sign-in is off.
 * @returns how many sessions ended
 */
export async function setPassword(
  trx: Tx,
  user_id: number,
  password_hash: string | null,
  { keep_session = null }: { keep_session?: number | null } = {},
): Promise<number> {
  const now = new Date();
  await trx
    .updateTable('users')
    .set({ password_hash, password_changed_at: now, updated_at: now })
    .where('id', '=', user_id)
    .execute();
  return endSessions(trx, user_id, keep_session);
}

/**
 * Marks the address confirmed, by a link to its mailbox or by an administrator. Drops a pending address
 * change: it was requested before the address was confirmed, possibly by another user. @returns whether this
 * is new
 */
export async function setVerified(trx: Tx, user_id: number): Promise<boolean> {
  const now = new Date();
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ email_verified_at: now, updated_at: now })
    .where('id', '=', user_id)
    .where('email_verified_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await dropEmailChange(trx, user_id);
  return numUpdatedRows > 0n;
}

export async function setUsername(trx: Tx, user_id: number, username: string): Promise<void> {
  await trx
    .updateTable('users')
    .set({ username, updated_at: new Date() })
    .where('id', '=', user_id)
    .execute();
}

/**
 * Ends every single sign-on link, because providers vouched for the former address. Returns false when
 * another account has the address.
 */
export async function setEmail(trx: Tx, user_id: number, email: string): Promise<boolean> {
  if (await findUserByEmail(trx, email)) return false;
  const now = new Date();
  await trx
    .updateTable('users')
    .set({ email, email_verified_at: now, updated_at: now })
    .where('id', '=', user_id)
    .execute();
  await endSsoLinks(trx, user_id, {});
  await endStaffLinks(trx, user_id);
  return true;
}

export async function setPlatformRole(
  trx: Tx,
  user_id: number,
  platform_role: UserRow['platform_role'],
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ platform_role, updated_at: new Date() })
    .where('id', '=', user_id)
    .execute();
  if (platform_role === 'admin') await allowLocalTeepod(trx, { user_id });
}

export interface UserSummary {
  public_id: string;
  email: string;
  username: string;
  platform_role: UserRow['platform_role'];
  state: UserRow['state'];
  created_at: Date;
  teams: string[];
}

/** Returns accounts with their team slugs, oldest first, at most `limit`. */
export async function listUsers(db: Db, limit: number): Promise<UserSummary[]> {
  const { rows } = await sql<UserSummary>`
    select u.public_id, u.email, u.username, u.platform_role, u.state, u.created_at,
           coalesce((select array_agg(t.slug order by m.is_default desc, t.slug)
                     from memberships m join teams t on t.id = m.team_id where m.user_id = u.id), '{}') as teams
    from users u order by u.id limit ${limit}`.execute(db);
  return rows;
}
