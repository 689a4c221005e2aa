import { sql, type Kysely } from 'kysely';

/** The TEE of a host's CPUs. dstack-vmm doesn't report it, so administrators enter it; null while unknown. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table teepods add column tee text check (tee in ('tdx', 'sev_snp'));
`;
