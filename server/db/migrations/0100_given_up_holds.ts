import { sql, type Kysely } from 'kysely';

/** When a given-up VM was seen on its host without host ports and GPUs; null until then. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table given_up_vms add column released_at timestamptz;
create index given_up_vms_held on given_up_vms (teepod_id) where released_at is null;
`;
