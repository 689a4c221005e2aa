import { sql, type Kysely } from 'kysely';

/** Ethereum addresses that users have linked to their accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table account_wallets (
  id bigint generated always as identity primary key,
  public_id text not null unique,
  user_id bigint not null references users,
  -- Lowercase.
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  created_at timestamptz not null default now(),
  unique (user_id, address)
);
`;
