import { sql, type Kysely } from 'kysely';

/** Gateways whose status administrators can read, with the address of their admin API. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table gateways (
  id bigint generated always as identity primary key,
  -- As in teepods.gateway_base_domain.
  base_domain text not null unique,
  url text,
  sealed_credential text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
`;
