import { sql, type Kysely } from 'kysely';

/** Platform-wide settings by finance staff at runtime, in one row; null: the server's configuration applies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table billing_settings (
  id boolean primary key default true check (id),
  debt_grace_days int check (debt_grace_days between 0 and 365),
  debt_keep_days int check (debt_keep_days between 1 and 3650),
  debt_pending_days int check (debt_pending_days between 0 and 90),
  updated_at timestamptz not null default now()
);
insert into billing_settings default values;
`;
