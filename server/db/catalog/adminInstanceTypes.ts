import { sql } from 'kysely';
import type { AdminInstanceType } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { Tx } from '../core/client';
import type { InstanceTypeRow } from './instanceTypesTable';

export interface AdminInstanceTypeRow extends InstanceTypeRow {
  /** Same as `hourly_rate_micros`, under the name used for sorting and filtering. */
  hourly_rate: number;
  /** Same as `gpu_rate_micros`. */
  gpu_hourly_rate: number;
  cvm_count: number;
}

export const adminInstanceTypes: AdminListSource<AdminInstanceTypeRow> = {
  fields: {
    id: 'text',
    family: 'text',
    name: 'text',
    description: 'text',
    vcpu: 'integer',
    memory_mb: 'integer',
    default_disk_size_gb: 'integer',
    hourly_rate: 'money',
    gpu_hourly_rate: 'money',
    requires_gpu: 'boolean',
    gpu_count: 'integer',
    state: 'text',
    sort_order: 'integer',
    cvm_count: 'integer',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminInstanceType, AdminFieldKind>,
  searched: ['id', 'name', 'description'],
  select: sql<AdminInstanceTypeRow>`select i.*, i.hourly_rate_micros as hourly_rate,
      i.gpu_rate_micros as gpu_hourly_rate, coalesce(c.cvm_count, 0) as cvm_count
    from instance_types i
    left join (select instance_type, count(*)::int as cvm_count from cvms where deleted_at is null group by instance_type) c
      on c.instance_type = i.id`,
};

export const lockInstanceType = (trx: Tx, id: string) =>
  trx.selectFrom('instance_types').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

interface InstanceTypeUse {
  cvms: string[];
  cvm_total: number;
  provisions: number;
  /** Includes retired ones, whose orders name the type. */
  products: number;
}

/** Counts live CVMs of this size, open provisions that may become one, and products that reserve it. */
export async function instanceTypeUse(trx: Tx, id: string): Promise<InstanceTypeUse> {
  const { rows } = await sql<InstanceTypeUse>`select
      array(select name from cvms where instance_type = ${id} and deleted_at is null order by name limit 5) as cvms,
      (select count(*)::int from cvms where instance_type = ${id} and deleted_at is null) as cvm_total,
      (select count(*)::int from provisions
        where instance_type = ${id} and committed_at is null and expires_at > now()) as provisions,
      (select count(*)::int from order_products where instance_type = ${id}) as products`.execute(trx);
  return rows[0] ?? { cvms: [], cvm_total: 0, provisions: 0, products: 0 };
}
