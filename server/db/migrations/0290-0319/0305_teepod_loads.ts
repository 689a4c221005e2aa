import { sql, type Kysely } from 'kysely';

/**
 * Each host's load from reservations, kept up to date so that placement doesn't sum every reservation of the
 * fleet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
lock table teepods, reservations in share row exclusive mode;

-- One row per teepod. Written by the triggers below only: it is exact whichever process writes a reservation.
create table teepod_loads (
  teepod_id bigint primary key references teepods on delete cascade,
  -- Expired ones count until they are deleted.
  reservations integer not null default 0,
  vcpu integer not null default 0,
  memory_mb integer not null default 0,
  disk_gb integer not null default 0,
  -- What administrators allow, less the above. May be negative: they can lower it.
  free_vcpu integer not null,
  free_memory_mb integer not null
);
insert into teepod_loads (teepod_id, reservations, vcpu, memory_mb, disk_gb, free_vcpu, free_memory_mb)
select t.id, count(r.id), coalesce(sum(r.vcpu), 0), coalesce(sum(r.memory_mb), 0), coalesce(sum(r.disk_gb), 0),
  t.max_vcpu - coalesce(sum(r.vcpu), 0), t.max_memory_mb - coalesce(sum(r.memory_mb), 0)
from teepods t left join reservations r on r.teepod_id = t.id group by t.id;

-- The order in which placement tries hosts.
create index teepod_loads_free on teepod_loads (free_memory_mb desc, free_vcpu desc, teepod_id);
create index reservations_expiring on reservations (expires_at) where expires_at is not null;

create function teepod_load_begin() returns trigger language plpgsql as $$
begin
  insert into teepod_loads (teepod_id, free_vcpu, free_memory_mb) values (new.id, new.max_vcpu, new.max_memory_mb);
  return null;
end
$$;
create trigger teepod_load_begin after insert on teepods for each row execute function teepod_load_begin();

create function teepod_load_limits() returns trigger language plpgsql as $$
begin
  update teepod_loads set free_vcpu = new.max_vcpu - vcpu, free_memory_mb = new.max_memory_mb - memory_mb
  where teepod_id = new.id;
  return null;
end
$$;
create trigger teepod_load_limits after update of max_vcpu, max_memory_mb on teepods for each row
  when (old.max_vcpu <> new.max_vcpu or old.max_memory_mb <> new.max_memory_mb) execute function teepod_load_limits();

create function teepod_load_add(id bigint, n bigint, vcpus bigint, memory bigint, disk bigint) returns void language sql as $$
  update teepod_loads set
    reservations = reservations + n, vcpu = vcpu + vcpus, memory_mb = memory_mb + memory, disk_gb = disk_gb + disk,
    free_vcpu = free_vcpu - vcpus, free_memory_mb = free_memory_mb - memory
  where teepod_id = id
$$;

-- Per statement, and by teepod: two statements about the same teepods wait for each other, and none deadlocks.
create function reservations_added() returns trigger language plpgsql as $$
declare
  a record;
begin
  for a in select teepod_id, count(*) as n, sum(vcpu) as vcpu, sum(memory_mb) as memory_mb, sum(disk_gb) as disk_gb
    from added group by teepod_id order by teepod_id
  loop
    perform teepod_load_add(a.teepod_id, a.n, a.vcpu, a.memory_mb, a.disk_gb);
  end loop;
  return null;
end
$$;
create trigger reservations_added after insert on reservations
  referencing new table as added for each statement execute function reservations_added();

create function reservations_removed() returns trigger language plpgsql as $$
declare
  r record;
begin
  for r in select teepod_id, count(*) as n, sum(vcpu) as vcpu, sum(memory_mb) as memory_mb, sum(disk_gb) as disk_gb
    from removed group by teepod_id order by teepod_id
  loop
    perform teepod_load_add(r.teepod_id, -r.n, -r.vcpu, -r.memory_mb, -r.disk_gb);
  end loop;
  return null;
end
$$;
create trigger reservations_removed after delete on reservations
  referencing old table as removed for each statement execute function reservations_removed();

-- Most updates change no size.
create function reservations_changed() returns trigger language plpgsql as $$
declare
  c record;
begin
  for c in
    select teepod_id, sum(f) as n, sum(f * vcpu) as vcpu, sum(f * memory_mb) as memory_mb, sum(f * disk_gb) as disk_gb
    from (
      select 1 as f, teepod_id, vcpu, memory_mb, disk_gb from added
      union all
      select -1, teepod_id, vcpu, memory_mb, disk_gb from removed
    ) change
    group by teepod_id
    having (sum(f), sum(f * vcpu), sum(f * memory_mb), sum(f * disk_gb)) <> (0, 0, 0, 0)
    order by teepod_id
  loop
    perform teepod_load_add(c.teepod_id, c.n, c.vcpu, c.memory_mb, c.disk_gb);
  end loop;
  return null;
end
$$;
create trigger reservations_changed after update on reservations
  referencing old table as removed new table as added for each statement execute function reservations_changed();
`;
