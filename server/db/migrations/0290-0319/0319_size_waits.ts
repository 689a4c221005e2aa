import { sql, type Kysely } from 'kysely';

/** Members can also wait for room for a size without GPUs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table gpu_waits
  add column vcpu integer not null default 0 check (vcpu between 0 and 1024),
  add column memory_mb integer not null default 0 check (memory_mb between 0 and 16777216),
  add column disk_gb integer not null default 0 check (disk_gb between 0 and 65536),
  drop constraint gpu_waits_gpus_check,
  add constraint gpu_waits_gpus_check check (gpus between 0 and 64),
  add constraint gpu_waits_not_empty check (greatest(gpus, vcpu, memory_mb, disk_gb) > 0);
`;
