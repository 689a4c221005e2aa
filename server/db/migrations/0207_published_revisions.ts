import { sql, type Kysely } from 'kysely';

/** Versions of apps that visitors could read, so that their differences are public too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table published_revisions (
  app_id bigint not null references apps on delete cascade,
  number integer not null,
  revision_id bigint not null unique references revisions on delete cascade,
  published_at timestamptz not null default now(),
  primary key (app_id, number)
);

-- Known for certain: what is published now, and what watchers were told.
insert into published_revisions (app_id, number, revision_id)
select r.app_id, r.number, r.id from revisions r
where r.id in (select revision_id from cvms where listed and deleted_at is null)
  or r.id in (select seen_revision_id from app_watches);

create function note_published() returns trigger language plpgsql as $$
begin
  insert into published_revisions (app_id, number, revision_id)
  select r.app_id, r.number, r.id from revisions r where r.id = new.revision_id
  on conflict do nothing;
  return null;
end $$;
create trigger cvms_published after insert or update of listed, revision_id, deleted_at on cvms
  for each row when (new.listed and new.deleted_at is null) execute function note_published();
`;
