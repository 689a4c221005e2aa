import { sql, type Kysely } from 'kysely';

/** Evidence from CVMs, and Intel's collateral for their chips. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- SPKI of the KMS's root CA key (DER, hex), taken when the KMS was added, as k256_pubkey is: the id that guests measure
-- for their key provider.
alter table kms add column ca_pubkey text check (ca_pubkey ~ '^([0-9a-f]{2}){32,255}$');

-- Intel's statements by family of platform and by which of its CAs certified the chip. The newest of each; a few hundred
-- families exist.
create table collateral (
  fmspc text not null check (fmspc ~ '^[0-9a-f]{12}$'),
  ca text not null check (ca in ('platform', 'processor')),
  source text not null,
  -- JSON as the verifier takes it, with the signed texts to the byte.
  content text not null,
  fetched_at timestamptz not null default now(),
  -- The first of its parts to go stale.
  next_update timestamptz not null,
  primary key (fmspc, ca)
);

-- The evidence a CVM gave, with the collateral of its time, so that it can be judged as of then. A few of each CVM.
create table evidence (
  id bigint generated always as identity primary key,
  team_id bigint not null references teams on delete cascade,
  cvm_id bigint not null references cvms on delete cascade,
  content_hash bytea not null,
  content text not null,
  collected_at timestamptz not null default now(),
  -- When the same was given last.
  seen_at timestamptz not null default now(),
  unique (cvm_id, content_hash)
);
create index evidence_latest on evidence (cvm_id, seen_at desc);
`;
