import { sql, type Kysely } from 'kysely';

/**
 * GPUs and their holders; what key management services report about themselves; the contracts that govern them.
 * A GPU is held through a reservation of its host, so whatever ends the reservation (a deletion, an expired
 * provision) also frees the GPU.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table gpus (
  id bigint generated always as identity primary key,
  teepod_id bigint not null references teepods on delete cascade,
  -- PCI address, as the host names it.
  slot text not null,
  product_id text,
  description text not null default '',
  notes text not null default '',
  -- Kept for this team, also while no CVM has it.
  reserved_team_id bigint references teams,
  -- Who has it: a CVM, or a provision until the reservation ends.
  reservation_id bigint references reservations on delete set null,
  -- Why it is out of use; null while it is not.
  fault text,
  reported boolean not null default false,
  -- The host has given it to a VM that is none of ours.
  used_elsewhere boolean not null default false,
  last_seen_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (teepod_id, slot)
);
create index gpus_reservation on gpus (reservation_id) where reservation_id is not null;
create index gpus_team on gpus (reserved_team_id) where reserved_team_id is not null;

create table gpu_events (
  id bigint generated always as identity primary key,
  gpu_id bigint not null references gpus on delete cascade,
  kind text not null check (kind in
    ('added', 'found', 'lost', 'reserved', 'released', 'held', 'attached', 'freed', 'faulty', 'repaired')),
  team_id bigint references teams on delete set null,
  cvm_id bigint references cvms on delete set null,
  note text,
  user_id bigint references users on delete set null,
  at timestamptz not null default now()
);
create index gpu_events_gpu on gpu_events (gpu_id, id desc);
create index gpu_events_at on gpu_events (at);

-- Written here and not by who changes a GPU, because most changes follow from others: a deletion, a deadline.
create function gpu_event(gpu_id bigint, kind text, team_id bigint, cvm_id bigint, note text) returns void
language sql as $$
  insert into gpu_events (gpu_id, kind, team_id, cvm_id, note, user_id)
  values ($1, $2, $3, $4, $5, nullif(current_setting('teehouse.user_id', true), '')::bigint)
$$;

create function gpus_changed() returns trigger language plpgsql as $$
declare
  had record;
  has record;
begin
  if tg_op = 'INSERT' then
    perform gpu_event(new.id, 'added', null, null, null);
    return new;
  end if;
  if new.reservation_id is distinct from old.reservation_id then
    if old.reservation_id is not null then
      -- The reservation itself may be gone by now.
      select e.team_id, e.cvm_id into had from gpu_events e
        where e.gpu_id = new.id and e.kind in ('held', 'attached') order by e.id desc limit 1;
      perform gpu_event(new.id, 'freed', had.team_id, had.cvm_id, null);
    end if;
    if new.reservation_id is not null then
      select r.team_id, r.cvm_id into has from reservations r where r.id = new.reservation_id;
      perform gpu_event(new.id, case when has.cvm_id is null then 'held' else 'attached' end, has.team_id, has.cvm_id, null);
    end if;
  end if;
  if new.reserved_team_id is distinct from old.reserved_team_id then
    if old.reserved_team_id is not null then
      perform gpu_event(new.id, 'released', old.reserved_team_id, null, null);
    end if;
    if new.reserved_team_id is not null then
      perform gpu_event(new.id, 'reserved', new.reserved_team_id, null, null);
    end if;
  end if;
  if new.fault is distinct from old.fault then
    perform gpu_event(new.id, case when new.fault is null then 'repaired' else 'faulty' end, null, null, new.fault);
  end if;
  if new.reported is distinct from old.reported then
    perform gpu_event(new.id, case when new.reported then 'found' else 'lost' end, null, null, null);
  end if;
  return new;
end
$$;
create trigger gpus_changed after insert or update on gpus for each row execute function gpus_changed();

-- A provision becomes a CVM, and what it held with it.
create function reservation_committed() returns trigger language plpgsql as $$
begin
  perform gpu_event(g.id, 'attached', new.team_id, new.cvm_id, null) from gpus g where g.reservation_id = new.id;
  return new;
end
$$;
create trigger reservation_committed after update of cvm_id on reservations
  for each row when (old.cvm_id is null and new.cvm_id is not null) execute function reservation_committed();

-- How many it is to have; which ones stands in gpus.
alter table provisions add column gpus integer not null default 0;
alter table cvms add column gpus integer not null default 0;

-- What it said when it was last asked, beside what is pinned. Never taken for pinned.
alter table kms
  add column health text not null default 'unchecked'
    check (health in ('unchecked', 'ok', 'unpinned', 'unreachable', 'alarm')),
  add column seen_k256_pubkey text,
  add column seen_ca_pubkey text,
  add column notices text[] not null default '{}',
  add column last_error text,
  add column checked_at timestamptz,
  add column answered_at timestamptz;

create table kms_contracts (
  id bigint generated always as identity primary key,
  kms_id bigint references kms,
  chain_id integer not null check (chain_id in (1, 8453, 11155111, 31337)),
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  label text not null,
  state text not null default 'active' check (state in ('active', 'retiring', 'retired')),
  health text not null default 'unread' check (health in ('unread', 'ok', 'alarm', 'unreachable')),
  notices text[] not null default '{}',
  last_error text,
  attempted_at timestamptz,
  -- What the chain said at this block; stays when it does not answer later.
  read_at timestamptz,
  block_number bigint,
  block_at timestamptz,
  facts jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (chain_id, address)
);
create index kms_contracts_kms on kms_contracts (kms_id) where kms_id is not null;

insert into kms_contracts (kms_id, chain_id, address, label)
  select distinct on (chain_id, lower(kms_contract_address)) id, chain_id, lower(kms_contract_address), slug
  from kms
  where chain_id in (1, 8453, 11155111, 31337) and lower(kms_contract_address) ~ '^0x[0-9a-f]{40}$'
  order by chain_id, lower(kms_contract_address), id;
`;
