import { sql, type Kysely } from 'kysely';

/**
 * A report whose app was reinstated keeps the reason for the removal, beside the reason for the reinstatement.
 * Teams are notified.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table abuse_reports
  add column reinstatement text,
  drop constraint abuse_reports_state_check,
  add constraint abuse_reports_state_check check (state in ('open', 'dismissed', 'delisted', 'reinstated')),
  add check ((state = 'reinstated') = (reinstatement is not null));

-- Notify a team when operators remove its app.
drop trigger events_feed on events;
create trigger events_feed after insert on events for each row
  when (new.kind ~ '\\.(succeeded|failed|unreachable|lost|found|recovered|given_up|disk_low|disk_recovered|disabled|pending_approval|schedule_warning|verified|broken|drain_notice|drain_stopped|drain_moved|drain_cancelled|maintenance_planned|maintenance_began|maintenance_over|bin_gave_way)$'
    or new.kind like 'budget.%' or new.kind like 'order.%' or new.kind = 'cvm.listed')
  execute function feed_event();
`;
