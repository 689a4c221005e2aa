import { sql, type Kysely } from 'kysely';

/** VMs listed by hosts although the CVM they are named after uses another, as last seen by the reconciler. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table duplicate_vms (
  id bigint generated always as identity primary key,
  teepod_id bigint not null references teepods on delete cascade,
  cvm_id bigint not null references cvms on delete cascade,
  host_vm_id text not null,
  status text not null,
  uptime text not null,
  vcpu int,
  memory_mb int,
  disk_gb int,
  given_up_at timestamptz,
  first_event_at timestamptz,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  unique (teepod_id, host_vm_id)
);
create index duplicate_vms_cvm on duplicate_vms (cvm_id);
`;
