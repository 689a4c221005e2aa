import { sql, type Kysely } from 'kysely';

/** Source of an OS image's hash. Real hosts report none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table os_images add column os_image_hash_source text
  check (os_image_hash_source in ('host', 'evidence', 'administrator'));
update os_images set os_image_hash_source = 'host' where os_image_hash is not null;
`;
