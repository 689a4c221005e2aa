import { sql, type Kysely } from 'kysely';

/**
 * Orders made since disk was priced (0191) exclude disk above what the type includes; 0202 wrongly covered it
 * for them, too. If the time 0191 ran isn't recorded, orders keep what they have.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const SINCE = `(select m.timestamp::timestamptz from kysely_migration m where m.name = '0191_disk_rates')`;

const DDL = `
-- Only 0202 changed the product's version since such an order: its rules are the present ones, so that it can be renewed.
update orders o set covers = 'cvm',
  product_version = case when p.version = o.product_version + 1 then p.version else o.product_version end
from order_products p where p.id = o.product_id and o.covers = 'all' and o.created_at >= ${SINCE};

-- From now on: hours until here stay as they were charged.
with changed as (
  update cvms c set covers = 'cvm' from orders o
  where o.id = c.order_id and o.covers = 'cvm' and c.covers = 'all'
  returning c.*
)
insert into cvm_state_changes (cvm_id, status, vcpu, memory_mb, disk_gb, hourly_rate_micros, gpu_rate_micros,
  disk_rate_micros, at, order_id, covers, covered_until)
select id, status, vcpu, memory_mb, disk_gb, hourly_rate_micros, gpu_rate_micros, disk_rate_micros, now(), order_id, covers,
  covered_until
from changed where disk_rate_micros > 0 and deleted_at is null;
`;
