import { sql, type Kysely } from 'kysely';

/** Apps that an administrator removed from public lists are not published, even if their team lists them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create or replace function note_published() returns trigger language plpgsql as $$
begin
  insert into published_revisions (app_id, number, revision_id)
  select r.app_id, r.number, r.id from revisions r join apps a on a.id = r.app_id
  where r.id = new.revision_id and a.listing_refused_at is null
  on conflict do nothing;
  return null;
end $$;
`;
