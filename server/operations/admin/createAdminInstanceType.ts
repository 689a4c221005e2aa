import { parseMicros } from '../../../console/lib/money';
import { adminInstanceTypeOut } from '../../domain/wire/admin';
import type { Handler } from '../types';
import { etagOf, invalid, keysOf, namingConflict } from './change';

const NAMES = { instance_types_pkey: { field: 'id', message: 'There is an instance type with this id.' } };

/** Micro-dollars per hour; the document's pattern lets through amounts larger than can be exact. */
export function rateMicros(decimal: string): number {
  const micros = parseMicros(decimal);
  if (micros === null) throw invalid('hourly_rate', 'This amount is too large.');
  return micros;
}

export const createAdminInstanceType: Handler<'createAdminInstanceType'> = async ({ body, ctx }) => {
  const { hourly_rate, ...rest } = body;
  const hourly_rate_micros = rateMicros(hourly_rate);
  return namingConflict(NAMES, () =>
    ctx.write(async ({ trx, audit }) => {
      const row = await trx
        .insertInto('instance_types')
        .values({ ...rest, hourly_rate_micros })
        .returningAll()
        .executeTakeFirstOrThrow();
      await audit({
        action: 'instance_type.create',
        target_kind: 'instance_type',
        target_id: row.id,
        after: { ...keysOf(row, Object.keys(rest)), hourly_rate_micros },
      });
      return {
        status: 201,
        headers: { ETag: etagOf('instance-types', row.id, row.updated_at) },
        body: adminInstanceTypeOut({ ...row, cvm_count: 0 }),
      } as const;
    }),
  );
};
