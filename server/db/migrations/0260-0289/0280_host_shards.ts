import { sql, type Kysely } from 'kysely';

/**
 * Divides hosts among workers, records how long a host hasn't responded, and counts runs that ended at a limit.
 * Older workers ignore all of it and query every host.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
create table host_shards (
  shard integer primary key,
  lease_owner text,
  lease_until timestamptz,
  check ((lease_owner is null) = (lease_until is null))
);
insert into host_shards (shard) select generate_series(0, 63);

-- Until when a process counts as one that takes shards; null if it takes none.
alter table workers add column hosts_until timestamptz;

-- Consecutive rounds without a response, and when the next one is due.
alter table teepods add column unanswered integer not null default 0, add column retry_at timestamptz;

alter table schedule_runs add column cut_short bigint not null default 0, add column last_cut_at timestamptz,
  add column left_over integer;
`;
