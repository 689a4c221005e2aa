import { sql, type Kysely } from 'kysely';

/**
 * Room on a host is offered to teams in turn and held for them, and a key management service can have a second pinned
 * root key while the first is replaced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- When the team was last offered room: its turn on the waitlist. Rows of the waitlist are replaced and deleted.
alter table teams add column room_offered_at timestamptz;

alter table gpu_waits
  -- Until when the offered room of teepod_id is held for the team; null if it isn't, or has been used.
  add column held_until timestamptz,
  add column held_gpus integer not null default 0,
  -- Those of them that aren't reserved for the team, so that other teams could have them.
  add column held_open_gpus integer not null default 0,
  add column held_vcpu integer not null default 0,
  add column held_memory_mb integer not null default 0,
  add column held_disk_gb integer not null default 0;
create index gpu_waits_held on gpu_waits (held_until) where held_until is not null;
drop index gpu_waits_host;
create index gpu_waits_host on gpu_waits (teepod_id, held_until) where teepod_id is not null;
-- Finds the first in line of each team and size without reading those behind.
drop index gpu_waits_line;
create index gpu_waits_line on gpu_waits (team_id, gpus, vcpu, memory_mb, disk_gb, created_at, id) where notified_at is null;

alter table kms
  add column next_k256_pubkey text,
  add constraint kms_next_key check (
    next_k256_pubkey is null or (k256_pubkey is not null and next_k256_pubkey <> k256_pubkey));
`;
