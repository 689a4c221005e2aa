import { sql } from 'kysely';
import { publicId } from '../domain/publicId';
import type { Db, Tx } from './client';
import type { UserRow } from './schema';

/** Guards everything that depends on "is this the first account": taken until the transaction ends. */
const FIRST_ACCOUNT_LOCK = 7_201_001;

export interface NewUser {
  email: string;
  username: string;
  password_hash: string;
  /** Becomes platform admin, whoever else is. */
  admin: boolean;
  /** False where somebody is named as administrator: then a stranger who comes first is nobody special. */
  first_is_admin?: boolean;
}

/**
 * Makes an account, or returns null when the address has one. The first account of a server becomes platform admin,
 * unless another is named, and counts as verified, as nobody could have sent it an e-mail; of two first registrations at once exactly one is it.
 */
export async function createUser(trx: Tx, user: NewUser): Promise<UserRow | null> {
  await sql`select pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`.execute(trx);
  const first = (await trx.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;
  const row = await trx
    .insertInto('users')
    .values({
      public_id: publicId('usr'),
      email: user.email,
      username: user.username,
      password_hash: user.password_hash,
      platform_role: user.admin || (first && user.first_is_admin !== false) ? 'admin' : null,
      email_verified_at: first ? new Date() : null,
    })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
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

/** A new password ends every session: whoever knew the old one is out. Tokens stay, they are revoked one by one. */
export async function setPassword(trx: Tx, user_id: number, password_hash: string): Promise<number> {
  await trx
    .updateTable('users')
    .set({ password_hash, updated_at: new Date() })
    .where('id', '=', user_id)
    .execute();
  const ended = await trx.deleteFrom('sessions').where('user_id', '=', user_id).executeTakeFirst();
  return Number(ended.numDeletedRows);
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

/** Accounts with the slugs of their teams, oldest first, at most `limit`. */
export async function listUsers(db: Db, limit: number): Promise<UserSummary[]> {
  const { rows } = await sql<UserSummary>`
    select u.public_id, u.email, u.username, u.platform_role, u.state, u.created_at,
           coalesce((select array_agg(t.slug order by m.is_default desc, t.slug)
                     from memberships m join teams t on t.id = m.team_id where m.user_id = u.id), '{}') as teams
    from users u order by u.id limit ${limit}`.execute(db);
  return rows;
}
