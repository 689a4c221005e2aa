import { sql, type Kysely } from 'kysely';

/**
 * Apps whose keys are guarded by a contract: their ID is the contract's address, which is known only at the
 * commit, and a host may serve CVMs of further key services.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table provisions alter column app_id drop not null, alter column env_pubkey drop not null;
create index provisions_on_chain on provisions (team_id, compose_hash) where app_id is null;

alter table apps add column deployer_address text check (deployer_address ~ '^0x[0-9a-f]{40}$');

create table teepod_kms (
  teepod_id bigint not null references teepods on delete cascade,
  kms_id bigint not null references kms,
  primary key (teepod_id, kms_id)
);
create index teepod_kms_kms on teepod_kms (kms_id);
`;
