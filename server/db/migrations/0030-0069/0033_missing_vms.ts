import { sql, type Kysely } from 'kysely';

/** VMs that hosts no longer list, and leftover VMs too numerous to remove without an administrator. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table cvms add column missing_since timestamptz`.execute(db);
  await sql`alter table teepods add column held_strays integer not null default 0`.execute(db);
  await sql`create index cvms_host_vm on cvms (host_vm_id)`.execute(db);
}
