import { sql, type Kysely } from 'kysely';

/**
 * Platform-wide settings that administrators change at runtime, in one row, and two more event kinds with
 * notifications.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table platform_settings (
  id boolean primary key default true check (id),
  recycle_bin_gives_way boolean not null default false,
  recycle_bin_min_age_hours int not null default 12 check (recycle_bin_min_age_hours between 1 and 23),
  updated_at timestamptz not null default now()
);
insert into platform_settings default values;

drop trigger events_feed on events;
-- As before, and what teams are told about a recycle bin that gave way and a lost CVM that was found.
create trigger events_feed after insert on events for each row
  when (new.kind ~ '\\.(succeeded|failed|unreachable|lost|found|recovered|disk_low|disk_recovered|disabled|pending_approval|schedule_warning|verified|broken|drain_notice|drain_stopped|drain_moved|drain_cancelled|maintenance_planned|maintenance_began|maintenance_over|bin_gave_way)$')
  execute function feed_event();
`;
