import { sql, type Kysely } from 'kysely';

/** Host ports mapped to a CVM, CVMs with all GPUs of their host, and counters of key management services. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- Whether the host allows it, as of its last reply.
alter table teepods
  add column port_mapping boolean not null default false,
  add column attach_all_gpus boolean not null default false;
-- [{protocol, host_port, vm_port}]
alter table provisions
  add column ports jsonb not null default '[]' check (jsonb_typeof(ports) = 'array'),
  add column all_gpus boolean not null default false;
alter table cvms
  add column ports jsonb not null default '[]' check (jsonb_typeof(ports) = 'array'),
  add column all_gpus boolean not null default false;
-- From the KMS's /metrics: since its start, as of metrics_at. An error says why they are older.
alter table kms
  add column attestation_requests bigint,
  add column attestation_failures bigint,
  add column metrics_at timestamptz,
  add column metrics_error text;
`;
