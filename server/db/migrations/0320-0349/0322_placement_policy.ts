import { sql, type Kysely } from 'kysely';

/**
 * Whether placement spreads CVMs over hosts or packs them on few. Each host's load gets what packing reads hosts by, so
 * that full ones are never read.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table platform_settings add column placement text not null default 'spread' check (placement in ('spread', 'pack'));

lock table teepods, reservations in share row exclusive mode;

-- Free as free_vcpu: may be negative, and expired reservations count.
alter table teepod_loads add column free_slots integer, add column free_disk_gb integer;
update teepod_loads l
set free_slots = least(t.max_cvms, nullif(t.host_cvms, 0)) - l.reservations, free_disk_gb = t.max_disk_gb - l.disk_gb
from teepods t where t.id = l.teepod_id;
alter table teepod_loads
  alter column free_slots set not null,
  alter column free_disk_gb set not null,
  -- How many more CVMs of 1 vCPU and 2 GB its vCPUs and memory allow; -1 if it is out of slots or disk.
  add column room integer generated always as (
    case when free_slots > 0 and free_disk_gb > 0 then least(free_vcpu, free_memory_mb / 2048) else -1 end) stored;

-- The order in which packing tries hosts: those with CVMs, then empty ones.
create index teepod_loads_used on teepod_loads (room, free_memory_mb, free_vcpu, teepod_id) where reservations > 0;
create index teepod_loads_empty on teepod_loads (room, free_memory_mb, free_vcpu, teepod_id) where reservations = 0;

create or replace function teepod_load_begin() returns trigger language plpgsql as $$
begin
  insert into teepod_loads (teepod_id, free_vcpu, free_memory_mb, free_slots, free_disk_gb)
  values (new.id, new.max_vcpu, new.max_memory_mb, least(new.max_cvms, nullif(new.host_cvms, 0)), new.max_disk_gb);
  return null;
end
$$;

create or replace function teepod_load_limits() returns trigger language plpgsql as $$
begin
  update teepod_loads set free_vcpu = new.max_vcpu - vcpu, free_memory_mb = new.max_memory_mb - memory_mb,
    free_slots = least(new.max_cvms, nullif(new.host_cvms, 0)) - reservations, free_disk_gb = new.max_disk_gb - disk_gb
  where teepod_id = new.id;
  return null;
end
$$;
drop trigger teepod_load_limits on teepods;
create trigger teepod_load_limits after update of max_vcpu, max_memory_mb, max_cvms, host_cvms, max_disk_gb on teepods
  for each row when ((old.max_vcpu, old.max_memory_mb, old.max_cvms, old.host_cvms, old.max_disk_gb)
    is distinct from (new.max_vcpu, new.max_memory_mb, new.max_cvms, new.host_cvms, new.max_disk_gb))
  execute function teepod_load_limits();

create or replace function teepod_load_add(id bigint, n bigint, vcpus bigint, memory bigint, disk bigint) returns void language sql as $$
  update teepod_loads set
    reservations = reservations + n, vcpu = vcpu + vcpus, memory_mb = memory_mb + memory, disk_gb = disk_gb + disk,
    free_vcpu = free_vcpu - vcpus, free_memory_mb = free_memory_mb - memory, free_slots = free_slots - n,
    free_disk_gb = free_disk_gb - disk
  where teepod_id = id
$$;
`;
