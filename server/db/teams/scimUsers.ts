import { sql, type Insertable, type Updateable } from 'kysely';
import { publicId } from '../../domain/core/publicId';
import type { ScimFilter } from '../../domain/teams/scim/filter';
import type { Db, Tx } from '../core/client';
import type { UserRow } from '../accounts/usersTable';
import { revokeScimToken } from './scimTokens';
import type { ScimUserRow, ScimUsersTable } from './scimTables';

/**
 * Users provisioned by a connection's identity provider. Every query is limited to one connection, and so to
 * one team.
 */

/** Serializes the connection's SCIM writes until the transaction ends. */
export async function lockProvisioning(trx: Tx, connection_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`scim:${connection_id}`}, 0))`.execute(trx);
}

const present = (db: Db | Tx, connection_id: number) =>
  db
    .selectFrom('scim_users')
    .selectAll()
    .where('connection_id', '=', connection_id)
    .where('deleted_at', 'is', null);

export const findScimUser = (
  db: Db | Tx,
  connection_id: number,
  public_id: string,
): Promise<ScimUserRow | undefined> =>
  present(db, connection_id).where('public_id', '=', public_id).executeTakeFirst();

function filtered(db: Db | Tx, connection_id: number, filter: ScimFilter | null) {
  const query = present(db, connection_id);
  switch (filter?.attribute) {
    case 'id':
      return query.where('public_id', '=', filter.value);
    case 'externalId':
      return query.where('external_id', '=', filter.value);
    case 'userName':
      return query.where(sql<string>`lower(user_name)`, '=', sql<string>`lower(${filter.value})`);
    case 'email':
      return query.where('email', '=', filter.value.trim().toLowerCase());
    case undefined:
      return query;
  }
}

interface ScimPage {
  rows: ScimUserRow[];
  total: number;
}

export async function listScimUsers(
  db: Db,
  connection_id: number,
  { filter, offset, limit }: { filter: ScimFilter | null; offset: number; limit: number },
): Promise<ScimPage> {
  const query = filtered(db, connection_id, filter);
  const { total } = await query
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows =
    limit === 0 || offset >= total ? [] : await query.orderBy('id').offset(offset).limit(limit).execute();
  return { rows, total };
}

/** Whether another user of the connection has the name, the address or the account. */
export async function scimUserTaken(
  trx: Tx,
  connection_id: number,
  wanted: { user_name: string; email: string; user_id: number | null; except: number | null },
): Promise<boolean> {
  const row = await present(trx, connection_id)
    .clearSelect()
    .select('id')
    .where((eb) =>
      eb.or([
        eb(sql<string>`lower(user_name)`, '=', sql<string>`lower(${wanted.user_name})`),
        eb('email', '=', wanted.email),
        ...(wanted.user_id === null ? [] : [eb('user_id', '=', wanted.user_id)]),
      ]),
    )
    .where(sql<boolean>`id is distinct from ${wanted.except}::bigint`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Counts deleted users, too, whose rows stay. */
export async function countScimUsers(trx: Tx, connection_id: number): Promise<number> {
  const { n } = await trx
    .selectFrom('scim_users')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('connection_id', '=', connection_id)
    .executeTakeFirstOrThrow();
  return n;
}

export function insertScimUser(
  trx: Tx,
  values: Omit<Insertable<ScimUsersTable>, 'public_id'>,
): Promise<ScimUserRow> {
  return trx
    .insertInto('scim_users')
    .values({ ...values, public_id: publicId('scu') })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function updateScimUser(
  trx: Tx,
  id: number,
  values: Updateable<ScimUsersTable>,
): Promise<ScimUserRow> {
  return trx
    .updateTable('scim_users')
    .set({ ...values, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Forgets that a user with this address was deleted, when they are provisioned again. */
export async function forgetDeletedScimUser(trx: Tx, connection_id: number, email: string): Promise<void> {
  await trx
    .deleteFrom('scim_users')
    .where('connection_id', '=', connection_id)
    .where('email', '=', email)
    .where('deleted_at', 'is not', null)
    .execute();
}

/** Detaches this account from the rows of deleted users, because another row has it now. */
export async function detachDeletedScimUsers(trx: Tx, connection_id: number, user_id: number): Promise<void> {
  await trx
    .updateTable('scim_users')
    .set({ user_id: null })
    .where('connection_id', '=', connection_id)
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is not', null)
    .execute();
}

/** Attaches the account to the provisioned user with its address that has none yet. */
export async function attachScimUser(
  trx: Tx,
  connection_id: number,
  user: { id: number; email: string },
): Promise<void> {
  await sql`
    update scim_users set user_id = ${user.id}, issuer_opens_account = false, updated_at = now()
    where connection_id = ${connection_id} and user_id is null and active and deleted_at is null
      and email = lower(${user.email})
      and not exists (
        select from scim_users o
        where o.connection_id = ${connection_id} and o.user_id = ${user.id} and o.deleted_at is null)`.execute(
    trx,
  );
}

/** Whether the provider deactivated or deleted the user with this account or one of these addresses. */
export async function isDeprovisioned(
  trx: Tx,
  connection_id: number,
  { emails, user_id }: { emails: readonly string[]; user_id: number | null },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from scim_users
    where connection_id = ${connection_id}
      and (email = any(${emails.map((email) => email.toLowerCase())}::text[]) or user_id = ${user_id}::bigint)
      and (not active or deleted_at is not null)
    limit 1`.execute(trx);
  return rows.length > 0;
}

/**
 * Whether the account belongs to an active provisioned user, and the connection's issuer may open it without a
 * confirmation.
 */
export async function mayIssuerOpen(trx: Tx, connection_id: number, user_id: number): Promise<boolean> {
  const row = await present(trx, connection_id)
    .clearSelect()
    .select('id')
    .where('user_id', '=', user_id)
    .where('issuer_opens_account', '=', true)
    .where('active', '=', true)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the account of the provisioned user with this address, even if the account has another address of the
 * domain.
 */
export function findProvisioned(trx: Tx, connection_id: number, email: string): Promise<UserRow | undefined> {
  return trx
    .selectFrom('scim_users as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .selectAll('u')
    .where('s.connection_id', '=', connection_id)
    .where('s.email', '=', email)
    .where(sql<boolean>`split_part(lower(u.email), '@', 2) = split_part(s.email, '@', 2)`)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst();
}

/**
 * Ends provisioning through a connection: its token, and with the domain everything known about its users.
 * Another issuer can open an account only after its owner confirms the link.
 */
export async function endProvisioning(
  trx: Tx,
  connection_id: number,
  { forget_users }: { forget_users: boolean },
): Promise<void> {
  await revokeScimToken(trx, connection_id);
  if (forget_users) await trx.deleteFrom('scim_users').where('connection_id', '=', connection_id).execute();
  else
    await trx
      .updateTable('scim_users')
      .set({ issuer_opens_account: false })
      .where('connection_id', '=', connection_id)
      .execute();
}
