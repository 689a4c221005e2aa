import { sql, type Kysely } from 'kysely';

/**
 * The explorer's lists, searches and filters, one row per published app, so that a page doesn't visit every
 * CVM.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table explorer_apps (
  app_id bigint primary key references apps on delete cascade,
  -- When visitors could last read something new. Of milliseconds, like the cursors of pages.
  changed_at timestamptz(3) not null,
  -- Orders apps of the same time. Visitors see it in cursors, so it says nothing about how many apps there are.
  position uuid not null default gen_random_uuid(),
  -- In lowercase.
  name text not null,
  -- "os:" and "kms:" with a name, "gpu", "simulated" or "hardware".
  tags text[] not null
);
create index explorer_apps_newest on explorer_apps (changed_at desc, position desc);
create index explorer_apps_tags on explorer_apps using gin (tags);
-- Which OS images there are to filter by.
create index cvms_published_os on cvms (os_image) where listed and deleted_at is null;

create function refresh_explorer_app(app bigint) returns void language plpgsql as $$
begin
  insert into explorer_apps (app_id, changed_at, name, tags)
  select id, '-infinity', '', '{}' from apps where id = app on conflict do nothing;
  -- Of changes at a time, the later sees what the earlier wrote.
  perform from explorer_apps where app_id = app for update;
  update explorer_apps e set name = lower(a.name), tags = f.tags, changed_at = greatest(e.changed_at,
    coalesce((select max(published_at) from published_revisions where app_id = app), a.created_at))
  from apps a, (
    select array_agg(distinct tag) filter (where tag is not null)
      || case when bool_and(h.kind = 'local') then 'simulated' else 'hardware' end as tags
    from cvms c join teepods h on h.id = c.teepod_id left join kms k on k.id = c.kms_id,
      unnest(array['os:' || c.os_image, 'kms:' || k.type, case when c.gpus > 0 or c.all_gpus then 'gpu' end]) tag
    where c.app_id = app and c.listed and c.deleted_at is null
    having count(*) > 0
  ) f
  where e.app_id = app and a.id = app;
  delete from explorer_apps where app_id = app
    and not exists (select from cvms where cvms.app_id = app and listed and deleted_at is null);
end $$;

create function note_explorer_app() returns trigger language plpgsql as $$
begin
  perform refresh_explorer_app(new.app_id);
  return null;
end $$;
-- Named so that it runs after cvms_published, which notes the version.
create trigger cvms_refresh_explorer after insert on cvms
  for each row when (new.listed and new.deleted_at is null) execute function note_explorer_app();
create trigger cvms_refresh_explorer_change
  after update of listed, revision_id, deleted_at, os_image, gpus, all_gpus, teepod_id, kms_id on cvms
  for each row when ((old.listed or new.listed)
    and (old.listed, old.revision_id, old.deleted_at, old.os_image, old.gpus, old.all_gpus, old.teepod_id, old.kms_id)
    is distinct from (new.listed, new.revision_id, new.deleted_at, new.os_image, new.gpus, new.all_gpus, new.teepod_id, new.kms_id))
  execute function note_explorer_app();

-- An OS image can change without a new version.
create function note_explorer_os() returns trigger language plpgsql as $$
begin
  update explorer_apps set changed_at = now() where app_id = new.app_id;
  return null;
end $$;
create trigger cvms_refresh_explorer_os after update of os_image on cvms
  for each row when (old.listed and new.listed and new.deleted_at is null and old.os_image is distinct from new.os_image)
  execute function note_explorer_os();

create function note_explorer_name() returns trigger language plpgsql as $$
begin
  update explorer_apps set name = lower(new.name) where app_id = new.id;
  return null;
end $$;
create trigger apps_explorer_name after update of name on apps
  for each row when (old.name is distinct from new.name) execute function note_explorer_name();

select refresh_explorer_app(app_id) from (
  select distinct app_id from cvms where listed and deleted_at is null
) published;
`;
