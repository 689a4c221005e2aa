import { sql, type Kysely } from 'kysely';

/**
 * Makes events searchable by word, actor, severity and time, and stores each host event once. Words are split
 * here rather than by a text search configuration, so that the result is the same in every database, including
 * "eu-1" and "boot.progress", and no extension is needed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create function event_words(message text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct left(word, 64)), '{}')
  from regexp_split_to_table(lower(left(message, 2000)), '[^[:alnum:]]+') word where word <> ''
$$;

-- Every word of what is looked for, the last one as a beginning; null for text without any word.
create function event_words_query(wanted text) returns tsquery language sql immutable parallel safe as $$
  select string_agg('''' || left(word, 64) || '''' || case when n = most then ':*' else '' end, ' & ')::tsquery
  from (
    select word, n, max(n) over () as most
    from regexp_split_to_table(lower(wanted), '[^[:alnum:]]+') with ordinality w(word, n) where word <> ''
  ) words
$$;

-- The team is a word too: a word that is rare in one team may be common in others, and GIN meets both at once.
alter table events
  add column actor_id bigint references users,
  -- What makes something a host said one thing, seen again or not.
  add column host_key bytea,
  add column search tsvector generated always as
    (array_to_tsvector(event_words(message) || ('team ' || team_id))) stored;

create function event_actor() returns trigger language plpgsql as $$
begin
  if new.operation_id is not null and new.actor_id is null then
    new.actor_id := (select requested_by from operations where id = new.operation_id);
  end if;
  return new;
end $$;
create trigger events_actor before insert on events for each row execute function event_actor();
update events set actor_id = o.requested_by from operations o where o.id = events.operation_id and o.requested_by is not null;

create index events_search on events using gin (search);
-- Ascending to the last column: then (team_id, id) < (…) is a place in the index, which nothing but the index can offer.
drop index events_team, events_cvm, events_app, events_operation;
create index events_team on events (team_id, id);
create index events_cvm on events (cvm_id, id) where cvm_id is not null;
create index events_app on events (app_id, id) where app_id is not null;
create index events_operation on events (operation_id, id) where operation_id is not null;
create index events_team_kind on events (team_id, kind, id);
create index events_team_severity on events (team_id, severity, id) where severity <> 'info';
create index events_team_actor on events (team_id, actor_id, id) where actor_id is not null;
create index events_team_time on events (team_id, created_at, id);
create index users_username on users (lower(username));
create unique index events_host_once on events (cvm_id, host_key) where host_key is not null;
`;
