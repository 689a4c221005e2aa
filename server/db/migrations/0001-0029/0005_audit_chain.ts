import { sql, type Kysely } from 'kysely';

/**
 * The audit log as hash chains, one per team and one for the platform: each entry's hash covers the previous
 * hash, so that a changed, omitted, moved or truncated entry is found (`teehouse verify`).
 *
 * A trigger computes it, so no writer can skip it: `hash = sha256(prev_hash || record)`. `record` is the text
 * of a jsonb object: keys in a fixed order, strings quoted, times in microseconds since 1970, so a row has the
 * same text whatever the session's settings. Null columns are left out, so a column added later changes no
 * earlier hash. `prev_hash` of the first entry is sha256 over the chain's name, so a chain cannot stand in for
 * another team's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table audit_log
  alter column at set default clock_timestamp(),
  add column chain bigint generated always as (coalesce(team_id, 0)) stored,
  -- Place in the chain, from 1.
  add column seq bigint,
  add column prev_hash bytea,
  add column hash bytea,
  -- Public ids and the name at that time: what is shown is what is hashed, and outlives a rename.
  add column actor_id text,
  add column actor_label text,
  add column token_public_id text,
  -- Staff who acted for the actor.
  add column on_behalf_of_user_id bigint references users,
  add column on_behalf_of_id text,
  add column user_agent text;

create table audit_heads (
  chain bigint primary key,
  -- The last entry; without it nobody would miss the end of a chain.
  seq bigint not null,
  hash bytea not null
);

create function audit_record(l audit_log) returns text language sql stable parallel safe as $$
  select (
    jsonb_strip_nulls(jsonb_build_object(
      'id', l.id, 'seq', l.seq, 'at_us', (extract(epoch from l.at) * 1000000)::bigint,
      'actor_kind', l.actor_kind, 'actor_id', l.actor_id, 'actor_label', l.actor_label,
      'token_id', l.token_public_id, 'on_behalf_of_id', l.on_behalf_of_id,
      'action', l.action, 'target_kind', l.target_kind, 'target_id', l.target_id,
      'ip', l.ip, 'user_agent', l.user_agent, 'request_id', l.request_id))
    || case when l.before is null then '{}' else jsonb_build_object('before', l.before) end
    || case when l.after is null then '{}' else jsonb_build_object('after', l.after) end
  )::text
$$;

create function audit_hash(prev bytea, record text) returns bytea language sql immutable parallel safe as $$
  select sha256(prev || convert_to(record, 'UTF8'))
$$;

-- What the first entry of a chain has for the hash before it.
create function audit_genesis(chain bigint) returns bytea language sql stable as $$
  select sha256(convert_to('teehouse audit ' ||
    case when chain = 0 then 'platform' else (select public_id from teams where id = chain) end, 'UTF8'))
$$;

create function audit_append() returns trigger language plpgsql as $$
declare
  head audit_heads;
begin
  -- In the order of foreign keys' own locks, and before the head's: who locked the team for a change of it writes its
  -- own entry at the end, and must not find the head held by one who waits for the team.
  if new.team_id is not null then
    perform from teams where id = new.team_id for key share;
  end if;
  if new.actor_user_id is not null then
    select public_id, username into new.actor_id, new.actor_label from users where id = new.actor_user_id for key share;
  end if;
  if new.on_behalf_of_user_id is not null then
    select public_id into new.on_behalf_of_id from users where id = new.on_behalf_of_user_id for key share;
  end if;
  if new.token_id is not null then
    select public_id into new.token_public_id from api_tokens where id = new.token_id for key share;
  end if;
  -- Generated columns have no value yet.
  select * into head from audit_heads where chain = coalesce(new.team_id, 0) for update;
  if not found then
    insert into audit_heads (chain, seq, hash)
      values (coalesce(new.team_id, 0), 0, audit_genesis(coalesce(new.team_id, 0))) on conflict do nothing;
    select * into head from audit_heads where chain = coalesce(new.team_id, 0) for update;
  end if;
  new.seq := head.seq + 1;
  new.prev_hash := head.hash;
  new.hash := audit_hash(new.prev_hash, audit_record(new));
  update audit_heads set seq = new.seq, hash = new.hash where chain = head.chain;
  return new;
end $$;

-- What was written before there were chains.
do $$
declare
  l audit_log;
  head audit_heads;
begin
  update audit_log a set
    actor_id = (select public_id from users u where u.id = a.actor_user_id),
    actor_label = (select username from users u where u.id = a.actor_user_id),
    token_public_id = (select public_id from api_tokens t where t.id = a.token_id);
  for l in select * from audit_log order by chain, id loop
    if head.chain is distinct from l.chain then
      if head.chain is not null then
        insert into audit_heads values (head.chain, head.seq, head.hash);
      end if;
      head := (l.chain, 0, audit_genesis(l.chain));
    end if;
    l.seq := head.seq + 1;
    l.prev_hash := head.hash;
    l.hash := audit_hash(l.prev_hash, audit_record(l));
    update audit_log set seq = l.seq, prev_hash = l.prev_hash, hash = l.hash where id = l.id;
    head := (l.chain, l.seq, l.hash);
  end loop;
  if head.chain is not null then
    insert into audit_heads values (head.chain, head.seq, head.hash);
  end if;
end $$;

alter table audit_log
  alter column seq set not null,
  alter column prev_hash set not null,
  alter column hash set not null;

drop index audit_log_team;
create unique index audit_log_chain on audit_log (chain, seq);
create index audit_log_actor on audit_log (actor_id, chain, seq);
create index audit_log_target on audit_log (chain, target_id, seq);

create function audit_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only added to: % of % is refused', lower(tg_op), tg_table_name
    using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_append before insert on audit_log for each row execute function audit_append();
create trigger audit_log_refuse before update or delete or truncate on audit_log
  for each statement execute function audit_refuse();
-- The trigger above may, nobody else.
create trigger audit_heads_refuse before insert or update or delete on audit_heads
  for each statement when (pg_trigger_depth() = 0) execute function audit_refuse();
create trigger audit_heads_refuse_truncate before truncate on audit_heads
  for each statement execute function audit_refuse();
`;
