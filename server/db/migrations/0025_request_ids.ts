import { sql, type Kysely } from 'kysely';

/**
 * The request that began it, as the audit log and the server's log lines name it, on operations and events: what one
 * request led to is found, also what a worker did for it minutes later.
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

create function event_of_request() returns trigger language plpgsql as $$
begin
  select o.request_id into new.request_id from operations o where o.id = new.operation_id;
  return new;
end
$$;
create trigger event_of_request before insert on events
  for each row when (new.request_id is null and new.operation_id is not null) execute function event_of_request();

create index events_request on events (request_id) where request_id is not null;
`;
