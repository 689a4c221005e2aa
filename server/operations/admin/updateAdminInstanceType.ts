import { adminInstanceTypes, lockInstanceType } from '../../db/adminInstanceTypes';
import { adminOne } from '../../db/adminList';
import { Problem } from '../../domain/problem';
import { adminInstanceTypeOut } from '../../domain/wire/admin';
import type { Handler } from '../types';
import { changesOf, checkIfMatch, etagOf, keysOf, nextVersion } from './change';
import { rateMicros } from './createAdminInstanceType';

/** CVMs keep the rate they run at in their own row: a new price counts from their next start or resize on. */
export const updateAdminInstanceType: Handler<'updateAdminInstanceType'> = async ({ path, body, ctx }) => {
  const { hourly_rate, ...rest } = body;
  const patch = hourly_rate === undefined ? rest : { ...rest, hourly_rate_micros: rateMicros(hourly_rate) };
  const found = await adminOne(ctx.db, adminInstanceTypes, path.id);
  if (!found) throw new Problem('NOT_FOUND', { message: `There is no instance type ${path.id}.` });
  const etag = etagOf('instance-types', found.id, found.updated_at);
  checkIfMatch(ctx, etag);
  if (Object.keys(changesOf(found, patch)).length === 0)
    return { status: 200, headers: { ETag: etag }, body: adminInstanceTypeOut(found) };
  return ctx.write(async ({ trx, audit }) => {
    const before = await lockInstanceType(trx, path.id);
    if (!before) throw new Problem('NOT_FOUND', { message: `There is no instance type ${path.id}.` });
    checkIfMatch(ctx, etagOf('instance-types', before.id, before.updated_at));
    const changes = changesOf(before, patch);
    const row = await trx
      .updateTable('instance_types')
      .set({ ...changes, updated_at: nextVersion(before) })
      .where('id', '=', path.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit({
      action: 'instance_type.update',
      target_kind: 'instance_type',
      target_id: row.id,
      before: keysOf(before, Object.keys(changes)),
      after: keysOf(row, Object.keys(changes)),
    });
    return {
      status: 200,
      headers: { ETag: etagOf('instance-types', row.id, row.updated_at) },
      body: adminInstanceTypeOut({ ...row, cvm_count: found.cvm_count }),
    } as const;
  });
};
