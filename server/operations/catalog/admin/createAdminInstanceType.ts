import { parseMicros } from '../../../../console/lib/billing/money';
import { adminInstanceTypeOut } from '../../../domain/hosts/adminHostResponse';
import type { Handler } from '../../types';
import { etagOf, keysOf, namingConflict } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { checkTexts } from '../../core/text';

const NAMES = {
  instance_types_pkey: { field: 'id', message: 'An instance type with this ID already exists.' },
};

/** Micro-dollars per hour: a month of the largest possible team usage stays an exact number. */
const MAX_RATE = 10_000_000_000;

/** Returns micro-dollars per hour. @throws VALIDATION_FAILED */
export function rateMicros(
  decimal: string,
  field: 'hourly_rate' | 'gpu_hourly_rate' = 'hourly_rate',
): number {
  const micros = parseMicros(decimal);
  if (micros === null || micros > MAX_RATE)
    throw invalid(field, 'The rate must be at most $10,000 per hour.');
  return micros;
}

/** @throws VALIDATION_FAILED if the GPUs' part of a rate exceeds it */
export function checkRates(rates: { hourly_rate_micros: number; gpu_rate_micros: number }): void {
  if (rates.gpu_rate_micros > rates.hourly_rate_micros)
    throw invalid('gpu_hourly_rate', "This is part of the hourly rate and can't exceed it.");
}

export const createAdminInstanceType: Handler<'createAdminInstanceType'> = async ({ body, ctx }) => {
  checkTexts(body, ['name', 'description']);
  const { hourly_rate, gpu_hourly_rate = '0', ...rest } = body;
  const rates = {
    hourly_rate_micros: rateMicros(hourly_rate),
    gpu_rate_micros: rateMicros(gpu_hourly_rate, 'gpu_hourly_rate'),
  };
  checkRates(rates);
  return namingConflict(NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      const row = await trx
        .insertInto('instance_types')
        .values({ ...rest, ...rates })
        .returningAll()
        .executeTakeFirstOrThrow();
      await audit({
        action: 'instance_type.create',
        target_kind: 'instance_type',
        target_id: row.id,
        after: { ...keysOf(row, Object.keys(rest)), ...rates },
      });
      return {
        status: 201,
        headers: { ETag: etagOf('instance-types', row.id, row.updated_at) },
        body: adminInstanceTypeOut({ ...row, cvm_count: 0 }),
      } as const;
    }),
  );
};
