import { sql, type Kysely } from 'kysely';

/** Key services may ask this server before they release keys; see docs/kms.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table kms
  -- What a KMS without a contract accepts, besides what this server runs.
  add column tcb_statuses text[] not null default '{UpToDate}',
  add column advisory_ids text[] not null default '{}',
  -- Measurements of KMS instances that may have its root keys: 64 lowercase hex digits each.
  add column aggregated_mrs text[] not null default '{}';

create table kms_tokens (
  kms_id bigint primary key references kms on delete cascade,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  token_prefix text not null,
  token_last4 text not null,
  created_at timestamptz not null default now(),
  -- To the minute.
  asked_at timestamptz
);

-- The last decision about each boot, so that the audit log has one entry for many identical ones.
create table kms_boot_decisions (
  kms_id bigint not null references kms on delete cascade,
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  allowed boolean not null,
  reason text not null,
  -- The audit entry, without allowed and reason.
  entry jsonb not null,
  -- Identical decisions since that entry.
  repeats integer not null default 0,
  audited_at timestamptz not null default now(),
  decided_at timestamptz not null default now(),
  primary key (kms_id, fingerprint)
);
create index kms_boot_decisions_repeated on kms_boot_decisions (audited_at) where repeats > 0;
create index kms_boot_decisions_refused on kms_boot_decisions (kms_id, audited_at) where not allowed;
create index kms_boot_decisions_age on kms_boot_decisions (decided_at);
`;
