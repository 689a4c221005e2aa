import { sql, type Kysely } from 'kysely';

/**
 * The metered price that a product was last compared with: if a rate rises later, the product gives more away.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(DDL).execute(db);
}

const DDL = `
alter table order_products
  -- Micro-dollars per hour; 0 for a product that an older server has saved.
  add column rated_hourly_micros bigint not null default 0,
  add column rated_gpu_micros bigint not null default 0;
update order_products p set rated_hourly_micros = t.hourly_rate_micros, rated_gpu_micros = t.gpu_rate_micros
from instance_types t where t.id = p.instance_type;
`;
