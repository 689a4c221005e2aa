import { sql } from 'kysely';
import type { Db, Tx } from '../core/client';
import type { SshKeyRow } from './sshKeys';
import type { TeamRow } from '../teams/teamsTable';

/** A team whose only owner can't delete their account yet. */
export interface HeldTeam extends Pick<TeamRow, 'id' | 'slug' | 'name'> {
  /** Members other than the user. */
  other_members: number;
  cvms: number;
}

/** Locks a user's teams, so that nobody joins, deploys or becomes an owner until the transaction ends. */
export const lockTeamsOf = (trx: Tx, user_id: number) =>
  sql`
    select t.id from teams t join memberships m on m.team_id = t.id
    where m.user_id = ${user_id} and t.deleted_at is null order by t.id for update of t`.execute(trx);

/** Returns the teams this user owns alone. */
export async function soleTeams(db: Db | Tx, user_id: number): Promise<HeldTeam[]> {
  const { rows } = await sql<HeldTeam>`
    select t.id, t.slug, t.name,
      (select count(*) from memberships o where o.team_id = t.id and o.user_id <> ${user_id}) as other_members,
      (select count(*) from cvms c where c.team_id = t.id and c.deleted_at is null) as cvms
    from teams t join memberships m on m.team_id = t.id
    where m.user_id = ${user_id} and m.role = 'owner' and t.deleted_at is null
      and not exists (
        select 1 from memberships o join users u on u.id = o.user_id
        where o.team_id = t.id and o.role = 'owner' and o.user_id <> ${user_id} and u.state = 'active')
    order by t.slug limit 1000`.execute(db);
  return rows;
}

/** Returns the teams this user owns with others. */
export async function sharedTeams(
  db: Db | Tx,
  user_id: number,
): Promise<Pick<HeldTeam, 'id' | 'slug' | 'name'>[]> {
  const { rows } = await sql<Pick<HeldTeam, 'id' | 'slug' | 'name'>>`
    select t.id, t.slug, t.name from teams t join memberships m on m.team_id = t.id
    where m.user_id = ${user_id} and m.role = 'owner' and t.deleted_at is null
      and exists (
        select 1 from memberships o join users u on u.id = o.user_id
        where o.team_id = t.id and o.role = 'owner' and o.user_id <> ${user_id} and u.state = 'active')
    order by t.slug limit 1000`.execute(db);
  return rows;
}

/**
 * Rows that belong to the user alone; rows below cascade (vault locks, secret copies, notifications). Team rows
 * keep the reference, which then points to the anonymized row. accountTables.test.ts decides every column.
 */
const OWN = [
  'sessions',
  'pending_sign_ins',
  'totp_credentials',
  'passkeys',
  'passkey_challenges',
  'recovery_codes',
  'mail_links',
  'email_changes',
  'ssh_keys',
  'account_wallets',
  'used_wallet_messages',
  'gpu_waits',
  'sso_identities',
  'staff_identities',
  'break_glass_links',
  'sso_link_requests',
  'sign_in_devices',
  'device_authorizations',
  'notification_settings',
  'memberships',
  'outbox',
  'vaults',
  'announcement_dismissals',
] as const;

/**
 * Erases a user. The row stays with an anonymous name and address because history refers to it; personal data
 * and every way to sign in are deleted.
 */
export async function eraseUser(trx: Tx, user_id: number): Promise<void> {
  const now = new Date();
  await trx
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .execute();
  // The token's name and last-used address are personal data.
  await trx
    .updateTable('api_tokens')
    .set({ name: 'deleted', last_used_ip: null })
    .where('user_id', '=', user_id)
    .execute();
  for (const table of OWN) await trx.deleteFrom(table).where('user_id', '=', user_id).execute();
  // The identity provider's own record of its user stays.
  await trx
    .updateTable('scim_users')
    .set({ user_id: null, issuer_opens_account: false, former_role: null })
    .where('user_id', '=', user_id)
    .execute();
  await trx.deleteFrom('invitations').where('accepted_by', '=', user_id).execute();
  // Views shared with other staff stay.
  await trx.deleteFrom('admin_views').where('user_id', '=', user_id).where('shared', '=', false).execute();
  await trx.deleteFrom('chat_codes').where('created_by', '=', user_id).execute();
  await trx.deleteFrom('staff_reads').where('staff_user_id', '=', user_id).execute();
  await trx
    .deleteFrom('view_as')
    .where((eb) => eb.or([eb('user_id', '=', user_id), eb('staff_user_id', '=', user_id)]))
    .execute();
  await sql`
    update users set
      email = 'deleted-' || public_id || '@deleted.invalid', username = 'Deleted user', avatar = '', state = 'deleted',
      password_hash = null, platform_role = null, email_verified_at = null, second_factor_at = null,
      password_changed_at = null, updated_at = ${now}
    where id = ${user_id}`.execute(trx);
}

/** Locks the user's row until the transaction ends. */
export const lockUser = (trx: Tx, user_id: number) =>
  trx.selectFrom('users').selectAll().where('id', '=', user_id).forUpdate().executeTakeFirst();

/** For the export: every key, including those beyond today's limit. */
export const allSshKeys = (db: Db, user_id: number): Promise<SshKeyRow[]> =>
  db.selectFrom('ssh_keys').selectAll().where('user_id', '=', user_id).orderBy('id').limit(1000).execute();

/** Returns the user's API tokens in every team, revoked ones too, newest first. */
export const tokensOf = (db: Db, user_id: number) =>
  db
    .selectFrom('api_tokens')
    .select([
      'public_id',
      'name',
      'token_prefix',
      'token_last4',
      'scopes',
      'created_at',
      'last_used_at',
      'last_used_ip',
      'default_version',
      'expires_at',
      'revoked_at',
    ])
    .where('user_id', '=', user_id)
    .orderBy('id', 'desc')
    .limit(1000)
    .execute();
