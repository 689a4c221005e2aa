import { sql, type Kysely } from 'kysely';

/**
 * The originating request ID, as in the audit log and the server's log lines, on operations and events:
 * everything a request led to can be found, including a worker's actions minutes later.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- Columns first, defaults after: rows that are there already have none, and are not written again.
alter table operations add column request_id text;
alter table events add column request_id text;
-- Set for the transaction of a request's write; nobody who writes an event has to pass it on.
alter table operations alter column request_id set default nullif(current_setting('teehouse.request_id', true), '');
alter table events alter column request_id set default nullif(current_setting('teehouse.request_id', true), '');

-- One look at the operation for both.
create or replace function event_actor() returns trigger language plpgsql as $$
begin
  if new.operation_id is not null and (new.actor_id is null or new.request_id is null) then
    select coalesce(new.actor_id, o.requested_by), coalesce(new.request_id, o.request_id)
      into new.actor_id, new.request_id from operations o where o.id = new.operation_id;
  end if;
  return new;
end $$;

create index events_request on events (request_id) where request_id is not null;
`;
