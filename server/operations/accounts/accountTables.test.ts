import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { identityOf, insertApp, insertCvm, insertHost, insertToken } from '../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../testing/server';

/**
 * How deleting an account affects each column that references a user. A new column fails the test until it
 * is listed.
 */
const DELETED = 'deleted';
const PRIVATE_DELETED = 'deleted unless shared';
const HISTORY = "kept: a team's or the platform's history, which then names the anonymous row";
const KEPT_TOKENS = 'kept: revoked and renamed, so that audit entries still resolve';
const NAME_ONLY = 'kept: a name as it was in the record, no reference';

const DECISIONS: Record<string, string> = {
  'account_wallets.user_id': DELETED,
  'admin_bulk_jobs.user_id': HISTORY,
  'admin_views.user_id': PRIVATE_DELETED,
  'ai_keys.created_by': HISTORY,
  'alerts.acknowledged_by': NAME_ONLY,
  'announcement_dismissals.user_id': DELETED,
  'announcements.created_by': HISTORY,
  'auto_top_ups.consented_by': HISTORY,
  'api_tokens.user_id': KEPT_TOKENS,
  'abuse_reports.decided_by': HISTORY,
  'approvals.requested_by': HISTORY,
  'apps.created_by': HISTORY,
  'audit_log.actor_id': NAME_ONLY,
  'audit_log.actor_user_id': HISTORY,
  'audit_log.on_behalf_of_user_id': HISTORY,
  'card_refunds.created_by': HISTORY,
  'chat_codes.created_by': DELETED,
  'chats.linked_by': HISTORY,
  'credit_grants.created_by': HISTORY,
  'cvms.created_by': HISTORY,
  'device_authorizations.user_id': DELETED,
  'domains.created_by': HISTORY,
  'drains.cancelled_by': HISTORY,
  'drains.requested_by': HISTORY,
  'email_changes.user_id': DELETED,
  'events.actor_id': HISTORY,
  'finance_actions.decided_by': HISTORY,
  'finance_actions.requested_by': HISTORY,
  'team_cards.consented_by': HISTORY,
  'given_up_vms.given_up_by': HISTORY,
  'gpu_events.user_id': HISTORY,
  'gpu_waits.user_id': DELETED,
  'team_templates.created_by': HISTORY,
  'team_templates.updated_by': HISTORY,
  'invitations.accepted_by': DELETED,
  'invitations.invited_by': HISTORY,
  'break_glass_links.user_id': DELETED,
  'mail_links.user_id': DELETED,
  'staff_identities.user_id': DELETED,
  'maintenance_windows.created_by': HISTORY,
  'memberships.user_id': DELETED,
  'notification_preferences.user_id': DELETED,
  'notification_settings.user_id': DELETED,
  'notifications.user_id': DELETED,
  'operations.cancel_requested_by': HISTORY,
  'operations.requested_by': HISTORY,
  'order_products.created_by': HISTORY,
  'order_refunds.created_by': HISTORY,
  'orders.created_by': HISTORY,
  'outbox.user_id': DELETED,
  'passkey_challenges.user_id': DELETED,
  'passkeys.user_id': DELETED,
  'payment_receipts.confirmed_by': HISTORY,
  'payment_receipts.reversed_by': HISTORY,
  'payments.created_by': HISTORY,
  'pending_sign_ins.user_id': DELETED,
  'promotion_codes.created_by': HISTORY,
  'promotion_redemptions.user_id': HISTORY,
  'provisions.user_id': HISTORY,
  'recovery_codes.user_id': DELETED,
  'revisions.created_by': HISTORY,
  'rollouts.cancel_requested_by': HISTORY,
  'rollouts.requested_by': HISTORY,
  'scim_tokens.created_by': HISTORY,
  'scim_users.user_id': DELETED,
  'secret_copies.user_id': DELETED,
  'sessions.user_id': DELETED,
  'sign_in_devices.user_id': DELETED,
  'ssh_keys.user_id': DELETED,
  'sso_identities.user_id': DELETED,
  'sso_link_requests.user_id': DELETED,
  'staff_reads.staff_user_id': DELETED,
  'teams.created_by': HISTORY,
  'totp_credentials.user_id': DELETED,
  'used_wallet_messages.user_id': DELETED,
  'vault_locks.user_id': DELETED,
  'vaults.user_id': DELETED,
  'view_as.staff_user_id': DELETED,
  'view_as.user_id': DELETED,
  'webhooks.created_by': HISTORY,
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await server.register('first@example.test');
});
afterAll(() => server.stop());

const db = () => server.services.db;

/** Returns every column that has a foreign key to a user or is named like one. */
async function userColumns(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select t.relname || '.' || a.attname as name
    from pg_class t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and (
      a.attname ~ '(^|_)(user_id|actor_id)$|_by$'
      or exists (
        select from pg_constraint k where k.contype = 'f' and k.confrelid = 'users'::regclass
          and k.conrelid = t.oid and k.conkey = array[a.attnum]))
    order by 1`.execute(db());
  return rows.map(({ name }) => name);
}

it('assigns a deletion rule to every column that references a user', async () => {
  expect((await userColumns()).sort()).toEqual(Object.keys(DECISIONS).sort());
});

it("applies each column's rule when an account is deleted", async () => {
  const anna = await server.register('anna@example.test');
  const { user_id, team_id } = await identityOf(db(), 'anna@example.test');
  await seed(user_id, team_id);
  const columns = Object.keys(DECISIONS).filter((name) => DECISIONS[name] !== NAME_ONLY);
  const count = async (name: string) => {
    const [table = '', column = ''] = name.split('.');
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(table)} where ${sql.ref(column)} = ${user_id}`.execute(db());
    return rows[0]?.n ?? 0;
  };
  const counts = async () =>
    Object.fromEntries(await Promise.all(columns.map(async (name) => [name, await count(name)] as const)));
  const before = await counts();
  const empty = columns.filter((name) => DECISIONS[name] !== HISTORY && before[name] === 0);
  expect(empty, 'columns without a seeded row').toEqual([]);

  const done = await anna.call('deleteAccount', { body: { email: 'anna@example.test' } });
  expect(done.status, JSON.stringify(done.body)).toBe(204);

  const after = await counts();
  for (const name of columns) {
    const decision = DECISIONS[name];
    if (decision === DELETED) expect(after[name], name).toBe(0);
    else if (decision === PRIVATE_DELETED) expect(after[name], name).toBe(1);
    else expect(after[name], name).toBeGreaterThanOrEqual(before[name] ?? 0);
  }
  const tokens = await db()
    .selectFrom('api_tokens')
    .select(['name', 'revoked_at', 'last_used_ip'])
    .where('user_id', '=', user_id)
    .execute();
  expect(tokens).toEqual([{ name: 'deleted', revoked_at: expect.any(Date), last_used_ip: null }]);
});

/** Inserts one row of everything a user can leave behind. */
async function seed(user_id: number, team_id: number): Promise<void> {
  const host = await insertHost(db());
  const app = await insertApp(db(), { user_id, team_id, host, name: 'kept' });
  // In a team with other members, so that it doesn't block deleting the account.
  const other = await identityOf(db(), 'first@example.test');
  const { id: cvm_id } = await insertCvm(db(), { ...app, host, user_id });
  await sql`update cvms set team_id = ${other.team_id} where id = ${cvm_id}`.execute(db());
  await insertToken(db(), { user_id, team_id });
  const later = sql`now() + interval '1 hour'`;
  const key = sql`'\\x00'::bytea`;
  const statements = [
    sql`insert into admin_views (user_id, resource, name, query) values (${user_id}, 'users', 'mine', '{}')`,
    sql`insert into admin_views (user_id, resource, name, query, shared) values (${user_id}, 'users', 'ours', '{}', true)`,
    sql`insert into announcements (public_id, title, text) values ('ann_seed', 'Title', 'Text')`,
    sql`insert into announcement_dismissals (announcement_id, user_id) select id, ${user_id} from announcements`,
    sql`insert into chat_codes (code_hash, service, created_by, expires_at) values (sha256('code'), 'telegram', ${user_id}, ${later})`,
    sql`insert into device_authorizations (device_code_hash, user_code, client_id, scopes, user_id, team_id, poll_interval_seconds, expires_at)
        values (sha256('device'), 'BCDFGHJK', 'phala-cli', '{}', ${user_id}, ${team_id}, 5, ${later})`,
    sql`insert into email_changes (user_id, email, expires_at) values (${user_id}, 'anna@new.test', ${later})`,
    sql`insert into invitations (public_id, team_id, email, role, token_hash, state, invited_by, accepted_by, expires_at)
        values ('inv_seed', ${other.team_id}, 'anna@example.test', 'member', sha256('inv'), 'accepted', ${other.user_id}, ${user_id}, ${later})`,
    sql`insert into mail_links (token_hash, purpose, user_id, email, expires_at) values (sha256('link'), 'verify_email', ${user_id}, 'anna@example.test', ${later})`,
    sql`insert into notification_preferences (team_id, user_id, kind, console, mail) values (${team_id}, ${user_id}, 'cvm.crashed', true, false)`,
    sql`insert into notification_settings (user_id) values (${user_id}) on conflict do nothing`,
    sql`insert into notifications (public_id, team_id, user_id, kind, subject, severity, title, message)
        values ('ntf_seed', ${team_id}, ${user_id}, 'cvm.crashed', 'x', 'error', 'Title', 'Message')`,
    sql`insert into outbox (message_id, "to", template, subject, state, sent_at, user_id)
        values ('seed', 'anna@example.test', 'x', 'x', 'sent', now(), ${user_id})`,
    sql`insert into passkey_challenges (challenge_hash, purpose, user_id, expires_at) values (sha256('challenge'), 'register', ${user_id}, ${later})`,
    sql`insert into passkeys (public_id, user_id, credential_id, public_key, counter, name, synced) values ('pky_seed', ${user_id}, sha256('c'), ${key}, 0, 'Laptop', false)`,
    sql`insert into pending_sign_ins (token_hash, user_id, auth_method, expires_at) values (sha256('psi'), ${user_id}, 'password', ${later})`,
    sql`insert into recovery_codes (user_id, code_hash) values (${user_id}, sha256('recovery'))`,
    sql`insert into sign_in_devices (user_id, device, country) values (${user_id}, 'Firefox', 'xx') on conflict do nothing`,
    sql`insert into gpu_waits (team_id, user_id, gpus) values (${team_id}, ${user_id}, 1)`,
    sql`insert into account_wallets (public_id, user_id, address) values ('wal_seed', ${user_id}, ${`0x${'a'.repeat(40)}`})`,
    sql`insert into used_wallet_messages (message_hash, user_id, expires_at) values (sha256('wallet'), ${user_id}, ${later})`,
    sql`insert into ssh_keys (public_id, user_id, name, public_key, fingerprint, key_type) values ('ssh_seed', ${user_id}, 'laptop', 'k', 'f', 'ssh-ed25519')`,
    sql`insert into sso_connections (public_id, team_id, issuer, client_id, domain, domain_challenge, default_role)
        values ('sso_seed', ${other.team_id}, 'https://idp.test', 'c', 'example.test', 't', 'viewer')`,
    sql`insert into staff_identities (issuer, subject, user_id) values ('https://id.example.test', 'anna', ${user_id})`,
    sql`insert into break_glass_links (token_hash, user_id, reason, expires_at) values (${key}, ${user_id}, 'Down.', ${later})`,
    sql`insert into sso_identities (connection_id, subject, user_id) select id, 'anna', ${user_id} from sso_connections`,
    sql`insert into scim_users (public_id, connection_id, user_name, email, active, user_id, former_role)
        select 'scu_seed', id, 'anna', 'anna@example.test', false, ${user_id}, 'member' from sso_connections`,
    sql`insert into sso_link_requests (token_hash, connection_id, issuer, domain, subject, user_id, role, expires_at)
        select sha256('request'), id, issuer, domain, 'anna-2', ${user_id}, 'viewer', ${later} from sso_connections`,
    sql`insert into staff_reads (staff_user_id, cvm_id, hour) values (${user_id}, ${cvm_id}, date_trunc('hour', now()))`,
    sql`insert into totp_credentials (user_id, sealed_secret) values (${user_id}, 'sealed')`,
    sql`insert into vaults (user_id, public_key) values (${user_id}, sha256('vault'))`,
    sql`insert into vault_locks (public_id, user_id, kind, name, salt, iterations, wrapped_key)
        values ('vlk_seed', ${user_id}, 'passphrase', 'p', sha256('s'), 600000, substring(sha512('w') for 60))`,
    sql`insert into secret_copies (user_id, app_id, env_digest, team_id, ciphertext) values (${user_id}, ${app.app.id}, sha256('e'), ${team_id}, ${key})`,
    sql`insert into view_as (session_id, user_id, staff_user_id, reason, expires_at)
        select id, user_id, user_id, 'seed', ${later} from sessions where user_id = ${user_id} limit 1`,
  ];
  for (const statement of statements) await statement.execute(db());
}
