import { sql, type Kysely } from 'kysely';

/**
 * Orders made before disk was priced (0191) promised that their CVM "costs nothing more": they cover its disk,
 * too, until their term ends. Newer offers have different terms, so products get a new version and older orders
 * don't renew.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table orders drop constraint orders_covers_check;
alter table orders add constraint orders_covers_check check (covers in ('cvm', 'gpus', 'all'));
alter table cvms drop constraint cvms_covers_check;
alter table cvms add constraint cvms_covers_check check (covers in ('cvm', 'gpus', 'all'));

update orders set covers = 'all' where covers = 'cvm';
update cvms set covers = 'all' where covers = 'cvm';
-- From now on. CVMs whose disk costs nothing so far are metered the same either way, and get it with their next change.
insert into cvm_state_changes (cvm_id, status, vcpu, memory_mb, disk_gb, hourly_rate_micros, gpu_rate_micros,
  disk_rate_micros, at, order_id, covers, covered_until)
select id, status, vcpu, memory_mb, disk_gb, hourly_rate_micros, gpu_rate_micros, disk_rate_micros, now(), order_id, covers,
  covered_until
from cvms where covers = 'all' and disk_rate_micros > 0 and deleted_at is null;

update order_products set version = version + 1 where covers = 'cvm';
`;
