import { sql, type Kysely } from 'kysely';

/** CVMs whose VM is missing from its host, their billing in that state, and VMs that a team gave up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table cvms drop constraint cvms_status_check,
      add constraint cvms_status_check check (status in ('creating', 'starting', 'running', 'stopping', 'shutting_down',
        'stopped', 'restarting', 'updating', 'resizing', 'deleting', 'deleted', 'error', 'lost'))`.execute(
    db,
  );
  await sql`create index cvms_lost on cvms (teepod_id) where status = 'lost'`.execute(db);
  await sql`
    alter table usage_meters drop constraint usage_meters_basis_check,
      add constraint usage_meters_basis_check check (basis in ('size', 'disk', 'none', 'paused'))`.execute(
    db,
  );
  // Kept forever: these VMs are never removed and never used again, even if their host lists them years later.
  await sql`
    create table given_up_vms (
      id bigint generated always as identity primary key,
      cvm_id bigint not null references cvms,
      teepod_id bigint not null references teepods,
      host_vm_id text not null,
      given_up_by bigint references users,
      given_up_at timestamptz not null default now(),
      unique (cvm_id, host_vm_id)
    )`.execute(db);
  await sql`create index given_up_vms_host_vm on given_up_vms (host_vm_id)`.execute(db);
}
