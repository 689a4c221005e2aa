import { sql } from 'kysely';
import type { TeamRole } from '../../domain/core/caller';
import { publicId } from '../../domain/core/publicId';
import type { EnforcedSso, SsoRole } from '../../domain/teams/sso';
import type { Db, Tx } from '../core/client';
import type { UserRow } from '../accounts/usersTable';

/** Members signed in through a provider: accounts by subject, and memberships the connection created. */

export function findUserBySubject(
  trx: Tx,
  connection_id: number,
  subject: string,
): Promise<UserRow | undefined> {
  return trx
    .selectFrom('sso_identities as i')
    .innerJoin('users as u', 'u.id', 'i.user_id')
    .selectAll('u')
    .where('i.connection_id', '=', connection_id)
    .where('i.subject', '=', subject)
    .executeTakeFirst();
}

/**
 * Locks an account until the transaction ends. Weaker than `lockUser`: rows that refer to the account, such
 * as mail about a removal that locks the team, can still be written.
 */
export function holdAccount(trx: Tx, user_id: number): Promise<UserRow | undefined> {
  return trx.selectFrom('users').selectAll().where('id', '=', user_id).forNoKeyUpdate().executeTakeFirst();
}

/** Blocks `lockTeam` until the transaction ends, as rows that refer to the team do, but from this point on. */
export async function holdTeamOfAccount(trx: Tx, team_id: number): Promise<void> {
  await trx.selectFrom('teams').select('id').where('id', '=', team_id).forKeyShare().execute();
}

/** Locks an address until the transaction ends: two concurrent first sign-ins create one account. */
export async function lockEmail(trx: Tx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sso-email:${email}`}, 0))`.execute(trx);
}

export async function linkIdentity(
  trx: Tx,
  identity: { connection_id: number; subject: string; user_id: number },
): Promise<void> {
  await trx.insertInto('sso_identities').values(identity).execute();
}

export async function noteIdentityUse(trx: Tx, connection_id: number, subject: string): Promise<void> {
  await trx
    .updateTable('sso_identities')
    .set({ last_used_at: new Date() })
    .where('connection_id', '=', connection_id)
    .where('subject', '=', subject)
    .execute();
}

/** Whether the account is linked to another subject of the provider and its user is still in the team. */
export async function isLinkedMember(
  trx: Tx,
  { id, team_id }: { id: number; team_id: number },
  user_id: number,
): Promise<boolean> {
  const row = await trx
    .selectFrom('sso_identities as i')
    .innerJoin('memberships as m', 'm.user_id', 'i.user_id')
    .select('i.subject')
    .where('i.connection_id', '=', id)
    .where('i.user_id', '=', user_id)
    .where('m.team_id', '=', team_id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Whether the account has a sign-in method set up by its owner: a password, a passkey, or a provider.
 * @param options `except`: a connection whose link doesn't count
 */
export async function hasWayIn(
  trx: Tx,
  { id }: Pick<UserRow, 'id'>,
  { except = null }: { except?: number | null } = {},
): Promise<boolean> {
  const { rows } = await sql`
    select 1 where exists (select from users where id = ${id} and password_hash is not null)
      or exists (select from passkeys where user_id = ${id})
      or exists (
        select from sso_identities where user_id = ${id} and connection_id is distinct from ${except}::bigint)
      or exists (select from staff_identities where user_id = ${id})`.execute(trx);
  return rows.length > 0;
}

/** Creates an account without a password whose address the domain's owner vouches for; null when it is taken. */
export async function insertSsoUser(
  trx: Tx,
  { email, username }: { email: string; username: string },
): Promise<UserRow | null> {
  const row = await trx
    .insertInto('users')
    .values({
      public_id: publicId('usr'),
      email,
      username,
      password_hash: null,
      platform_role: null,
      email_verified_at: new Date(),
    })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Takes over an account registered with this address but never confirmed. The provider vouches for the
 * address's owner, so everything the registrant could use to sign in again is removed first.
 */
export async function takeOverUnverified(trx: Tx, user_id: number): Promise<void> {
  await trx.updateTable('users').set({ email_verified_at: new Date() }).where('id', '=', user_id).execute();
  await removeWaysIn(trx, user_id);
}

/**
 * Removes the password, factors, sessions, links, keys, tokens, approved device logins, the vault, and the
 * webhooks of teams with no other member: nothing left by an earlier holder of the account gives access or
 * sends data out.
 */
export async function removeWaysIn(trx: Tx, user_id: number): Promise<void> {
  const now = new Date();
  await trx
    .updateTable('users')
    // The new time makes a sign-in in progress with the old password fail.
    .set({ password_hash: null, password_changed_at: now, second_factor_at: null, updated_at: now })
    .where('id', '=', user_id)
    .execute();
  for (const table of [
    'sessions',
    'pending_sign_ins',
    'totp_credentials',
    'passkeys',
    'recovery_codes',
    'mail_links',
    'email_changes',
    'ssh_keys',
    'sso_identities',
    'staff_identities',
    'break_glass_links',
    'sso_link_requests',
    'device_authorizations',
    'vaults',
  ] as const)
    await trx.deleteFrom(table).where('user_id', '=', user_id).execute();
  await trx
    .updateTable('api_tokens')
    .set({ revoked_at: new Date() })
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .execute();
  await sql`
    delete from webhooks w using memberships m
    where m.team_id = w.team_id and m.user_id = ${user_id}
      and not exists (select from memberships o where o.team_id = w.team_id and o.user_id <> ${user_id})`.execute(
    trx,
  );
}

export interface SsoMembership {
  role: TeamRole;
  /** The connection that created it. */
  sso_connection_id: number | null;
}

export async function findMembership(
  trx: Tx,
  team_id: number,
  user_id: number,
): Promise<SsoMembership | undefined> {
  const { rows } = await sql<SsoMembership>`
    select role, sso_connection_id from memberships
    where team_id = ${team_id} and user_id = ${user_id} for update`.execute(trx);
  return rows[0];
}

/**
 * A user's first team becomes their default.
 * @param values `connection_id`: the connection that keeps the role in sync; null if members set it
 */
export async function insertMembership(
  trx: Tx,
  values: { team_id: number; user_id: number; role: SsoRole; connection_id: number | null },
): Promise<void> {
  const { team_id, user_id, role, connection_id } = values;
  await sql`
    insert into memberships (team_id, user_id, role, is_default, sso_connection_id)
    select ${team_id}, ${user_id}, ${role},
           not exists (select 1 from memberships where user_id = ${user_id}), ${connection_id}
    on conflict (team_id, user_id) do nothing`.execute(trx);
}

export async function setMemberRole(trx: Tx, team_id: number, user_id: number, role: SsoRole): Promise<void> {
  await trx
    .updateTable('memberships')
    .set({ role })
    .where('team_id', '=', team_id)
    .where('user_id', '=', user_id)
    .where('role', '<>', 'owner')
    .execute();
}

/** Returns, by team, where this user must sign in through the provider; for their team list. */
export async function enforcedSso(db: Db | Tx, user_id: number): Promise<Map<number, EnforcedSso>> {
  const { rows } = await sql<EnforcedSso & { team_id: number }>`
    select m.team_id, c.id, c.domain, coalesce(m.sso_connection_id = c.id, false) as made_member
    from memberships m
    join sso_connections c on c.team_id = m.team_id and c.enforced and c.domain_verified_at is not null
      and c.suspended_at is null
    where m.user_id = ${user_id} limit 1000`.execute(db);
  return new Map(rows.map(({ team_id, ...enforced }) => [team_id, enforced]));
}

/** Whether the account is in a team with other members, or in one that has CVMs. */
export async function sharesTeams(trx: Tx, user_id: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from memberships m
    where m.user_id = ${user_id} and (
      exists (select 1 from memberships o where o.team_id = m.team_id and o.user_id <> m.user_id)
      or exists (select 1 from cvms c where c.team_id = m.team_id and c.deleted_at is null))
    limit 1`.execute(trx);
  return rows.length > 0;
}
