import { sql, type Kysely } from 'kysely';

/**
 * A CVM's hourly rate for disk above what its size includes: a part of the rate that no order covers. Existing
 * CVMs keep their rate, and have no such part until they are resized.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table cvms add column disk_rate_micros bigint not null default 0 check (disk_rate_micros >= 0);
alter table cvm_state_changes add column disk_rate_micros bigint not null default 0;

create or replace function note_state_change() returns trigger language plpgsql as $$
declare
  since timestamptz := now();
begin
  if tg_op = 'INSERT' then
    insert into usage_meters (cvm_id, team_id, billed_from, closed_until)
    values (new.id, new.team_id, date_trunc('second', now()), date_trunc('second', now()));
  elsif new.cover_changed_at < since and (new.order_id is distinct from old.order_id
      or new.covered_until is distinct from old.covered_until) then
    -- Not before the state it was in then, which says what it costs.
    select greatest(new.cover_changed_at, max(at)) into since from cvm_state_changes where cvm_id = new.id;
  end if;
  if tg_op = 'INSERT' or new.status is distinct from old.status or new.vcpu is distinct from old.vcpu
     or new.memory_mb is distinct from old.memory_mb or new.disk_gb is distinct from old.disk_gb
     or new.hourly_rate_micros is distinct from old.hourly_rate_micros
     or new.gpu_rate_micros is distinct from old.gpu_rate_micros
     or new.disk_rate_micros is distinct from old.disk_rate_micros
     or new.order_id is distinct from old.order_id or new.covered_until is distinct from old.covered_until then
    insert into cvm_state_changes (cvm_id, status, vcpu, memory_mb, disk_gb, hourly_rate_micros, gpu_rate_micros,
      disk_rate_micros, at, order_id, covers, covered_until)
    values (new.id, new.status, new.vcpu, new.memory_mb, new.disk_gb, new.hourly_rate_micros, new.gpu_rate_micros,
      new.disk_rate_micros, since, new.order_id, new.covers, new.covered_until);
  end if;
  return null;
end $$;
`;
