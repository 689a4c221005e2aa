import { sql, type Kysely } from 'kysely';

/** Counters for guessing attempts, and the devices a user signs in from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table guesses (
  -- Whose, or from where: kind:account:…, kind:address:…, kind:device:…
  key text primary key,
  -- In the window that runs; the rest until its end is refused unjudged.
  attempts integer not null,
  -- Judged since the last right one, or since a day without any: what makes the next window longer.
  total integer not null,
  window_ends_at timestamptz not null
);
create index guesses_age on guesses (window_ends_at);

create table sign_in_devices (
  user_id bigint not null references users on delete cascade,
  -- Browser and system by name, without versions.
  device text not null,
  -- Of the address, by name.
  country text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (user_id, device, country)
);
`;
