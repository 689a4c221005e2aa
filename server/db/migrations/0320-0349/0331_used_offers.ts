import { sql, type Kysely } from 'kysely';

/** An offer of room remembers the reservation that uses it, so that it is open again if the deployment is abandoned. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
-- No foreign key: reservations are deleted and expire without a look at the waitlist, which reads whether they exist.
alter table gpu_waits add column reservation_id bigint;
create index gpu_waits_used on gpu_waits (reservation_id) where reservation_id is not null;
`;
