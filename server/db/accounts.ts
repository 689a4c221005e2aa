import { sql } from 'kysely';
import type { Db, Tx } from './client';
import type { SshKeyRow } from './sshKeys';
import type { TeamRow } from './schema';

/** A team that keeps its only owner from deleting their account. */
export interface HeldTeam extends Pick<TeamRow, 'id' | 'slug' | 'name'> {
  /** Besides the person. */
  other_members: number;
  cvms: number;
}

/**
 * The teams that only this person owns, each held until the transaction ends, so that nobody joins, deploys or is made
 * owner meanwhile.
 */
export async function soleTeams(trx: Tx, user_id: number): Promise<HeldTeam[]> {
  await sql`
    select t.id from teams t join memberships m on m.team_id = t.id
    where m.user_id = ${user_id} and t.deleted_at is null order by t.id for update of t`.execute(trx);
  const { rows } = await sql<HeldTeam>`
    select t.id, t.slug, t.name,
      (select count(*) from memberships o where o.team_id = t.id and o.user_id <> ${user_id}) as other_members,
      (select count(*) from cvms c where c.team_id = t.id and c.deleted_at is null) as cvms
    from teams t join memberships m on m.team_id = t.id
    where m.user_id = ${user_id} and m.role = 'owner' and t.deleted_at is null
      and not exists (
        select 1 from memberships o join users u on u.id = o.user_id
        where o.team_id = t.id and o.role = 'owner' and o.user_id <> ${user_id} and u.state = 'active')
    order by t.slug limit 1000`.execute(trx);
  return rows;
}

/** What belongs to a person alone. Rows of a team that name them (apps, operations, audit) go on naming nobody. */
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
  'sso_identities',
  'sign_in_devices',
  'device_authorizations',
  'notification_settings',
  'memberships',
  'outbox',
] as const;

/**
 * Erases a person. The row stays, under a name and an address that are nobody's, because history refers to it; what they
 * were, and every way in, is gone.
 */
export async function eraseUser(trx: Tx, user_id: number): Promise<void> {
  const now = new Date();
  await trx
    .updateTable('api_tokens')
    .set({ revoked_at: now })
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .execute();
  // The token's name and where it was last used say something of them.
  await trx
    .updateTable('api_tokens')
    .set({ name: 'deleted', last_used_ip: null })
    .where('user_id', '=', user_id)
    .execute();
  for (const table of OWN) await trx.deleteFrom(table).where('user_id', '=', user_id).execute();
  await trx.deleteFrom('invitations').where('accepted_by', '=', user_id).execute();
  await sql`
    update users set
      email = 'deleted-' || public_id || '@deleted.invalid', username = 'Deleted user', avatar = '', state = 'deleted',
      password_hash = null, platform_role = null, email_verified_at = null, second_factor_at = null,
      password_changed_at = null, updated_at = ${now}
    where id = ${user_id}`.execute(trx);
}

/** The person's row, held until the transaction ends. */
export const lockUser = (trx: Tx, user_id: number) =>
  trx.selectFrom('users').selectAll().where('id', '=', user_id).forUpdate().executeTakeFirst();

/** For the export: every key, however many were allowed when they were added. */
export const allSshKeys = (db: Db, user_id: number): Promise<SshKeyRow[]> =>
  db.selectFrom('ssh_keys').selectAll().where('user_id', '=', user_id).orderBy('id').limit(1000).execute();

/** The person's API tokens of every team, revoked ones too, newest first. */
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
      'expires_at',
      'revoked_at',
    ])
    .where('user_id', '=', user_id)
    .orderBy('id', 'desc')
    .limit(1000)
    .execute();
