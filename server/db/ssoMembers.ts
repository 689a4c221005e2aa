import { sql } from 'kysely';
import type { TeamRole } from '../domain/caller';
import { publicId } from '../domain/publicId';
import type { EnforcedSso, SsoRole } from '../domain/sso';
import type { Db, Tx } from './client';
import type { UserRow } from './schema';

/** Whom a provider let in: accounts by subject, memberships the connection made. */

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

/** Holds whatever has this address until the transaction ends: two first sign-ins at once make one account. */
export async function lockEmail(trx: Tx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sso-email:${email}`}, 0))`.execute(trx);
}

export async function linkIdentity(
  trx: Tx,
  identity: { connection_id: number; subject: string; user_id: number },
): Promise<void> {
  await trx
    .insertInto('sso_identities')
    .values(identity)
    .onConflict((conflict) =>
      conflict.columns(['connection_id', 'subject']).doUpdateSet({ last_used_at: new Date() }),
    )
    .execute();
}

/** Whether another subject of the provider has this account, and the person is still in the team. */
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

/** An account without a password, its address vouched for by who answers for the domain; null when it is taken. */
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
 * Somebody registered with this address and never showed that it is theirs. The provider knows whose it is: whatever
 * that somebody left to come back in by is taken away before the account is handed over.
 */
export async function takeOverUnverified(trx: Tx, user_id: number): Promise<void> {
  await trx.updateTable('users').set({ email_verified_at: new Date() }).where('id', '=', user_id).execute();
  await removeWaysIn(trx, user_id);
}

/** Password, factors, sessions, links, keys and tokens: nobody comes in by what was left here until now. */
export async function removeWaysIn(trx: Tx, user_id: number): Promise<void> {
  await trx
    .updateTable('users')
    .set({ password_hash: null, second_factor_at: null, updated_at: new Date() })
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
  ] as const)
    await trx.deleteFrom(table).where('user_id', '=', user_id).execute();
  await trx
    .updateTable('api_tokens')
    .set({ revoked_at: new Date() })
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .execute();
}

export interface SsoMembership {
  role: TeamRole;
  /** The connection that made it. */
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

/** The first team of somebody who has none becomes their default. */
export async function insertMembership(
  trx: Tx,
  values: { team_id: number; user_id: number; role: SsoRole; connection_id: number },
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

/** By team: where this person has to come through the provider, for the list of their teams. */
export async function enforcedSso(db: Db | Tx, user_id: number): Promise<Map<number, EnforcedSso>> {
  const { rows } = await sql<EnforcedSso & { team_id: number }>`
    select m.team_id, c.id, c.domain, coalesce(m.sso_connection_id = c.id, false) as made_member
    from memberships m
    join sso_connections c on c.team_id = m.team_id and c.enforced and c.domain_verified_at is not null
    where m.user_id = ${user_id} limit 1000`.execute(db);
  return new Map(rows.map(({ team_id, ...enforced }) => [team_id, enforced]));
}

/** Teams whose provider signs this person in. */
export async function connectionsOfUser(
  db: Db,
  user_id: number,
): Promise<{ public_id: string; team_name: string }[]> {
  return db
    .selectFrom('sso_identities as i')
    .innerJoin('sso_connections as c', 'c.id', 'i.connection_id')
    .innerJoin('teams as t', 't.id', 'c.team_id')
    .select(['c.public_id', 't.name as team_name'])
    .distinct()
    .where('i.user_id', '=', user_id)
    .orderBy('t.name')
    .limit(100)
    .execute();
}
