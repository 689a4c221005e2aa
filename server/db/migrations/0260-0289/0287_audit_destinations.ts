import { sql, type Kysely } from 'kysely';

/** Log systems that the audit log is delivered to. Older processes ignore them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table audit_destinations (
  id bigint generated always as identity primary key,
  name text not null unique,
  kind text not null check (kind in ('syslog_tls', 'syslog_tcp', 'webhook')),
  -- A URL for a webhook, host:port for syslog.
  address text not null,
  -- Sealed with the server's key; signs the requests of a webhook.
  sealed_secret text,
  -- PEM; null for the authorities that the system trusts.
  ca_certificate text,
  state text not null default 'active' check (state in ('active', 'paused')),
  -- Every entry up to this ID was delivered or was never committed.
  delivered_id bigint not null check (delivered_id >= 0),
  delivered_at timestamptz,
  -- Failed attempts since the last success.
  failures integer not null default 0,
  failing_since timestamptz,
  next_attempt_at timestamptz,
  last_error text,
  -- The worker that delivers: one at a time, which keeps the order.
  lease_owner text,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((kind = 'webhook') = (sealed_secret is not null)),
  check (kind = 'syslog_tls' or ca_certificate is null),
  check ((lease_owner is null) = (lease_until is null))
);

-- Chats that get every other warning about lost records get this one.
update chats set alerts = alerts || array['audit_export_late'] where 'backup_old' = any (alerts);
`;
