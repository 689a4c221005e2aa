import { sql } from 'kysely';
import { drainActions, drainCvmActions, isAllowed } from '../../../../console/lib/hosts/allowedActions';
import { adminDrainCvms, lockAnyDrain } from '../../../db/hosts/adminDrains';
import { adminOne } from '../../../db/core/adminList';
import { movableFacts } from '../../../db/hosts/drains';
import { mayMove } from '../../../domain/cvms/movable';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { etagOf, nextVersion } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { missing } from '../../core/admin/resource';
import { drainCvms } from '../../core/admin/resourcesFleet';

export const decideAdminDrainCvm: Handler<'decideAdminDrainCvm'> = async ({ path, body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const found = await adminOne(trx, adminDrainCvms, path.id);
    if (!found) throw missing(drainCvms, path.id);
    // Locks the drain first, as its worker does.
    const drain = await lockAnyDrain(trx, found.drain_id);
    const item = await trx
      .selectFrom('drain_cvms')
      .selectAll()
      .where('id', '=', path.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (!drain || !isAllowed(drainActions.cancel, drain.state))
      throw new Problem('CONFLICT', { message: `The drain has already ended: ${drain?.state ?? 'gone'}.` });
    if (item.operation_id !== null || !isAllowed(drainCvmActions.decide, item.state))
      throw new Problem('CONFLICT', {
        message: `“${found.name}” is ${item.state}, so its action can't change.`,
      });
    if (body.action === 'move') {
      const { allowed, why } = mayMove(await movableFacts(trx, item.cvm_id));
      if (!allowed) throw invalid('action', `“${found.name}” can't be moved. ${why.text}`);
    }
    await trx
      .updateTable('drain_cvms')
      .set({
        action: body.action,
        state: 'waiting',
        message: null,
        message_keys: '[]',
        look_at: sql<Date>`now()`,
        updated_at: nextVersion(item),
      })
      .where('id', '=', item.id)
      .execute();
    await audit({
      action: 'drain.decide',
      target_kind: 'drain',
      target_id: String(drain.id),
      before: { cvm: found.vm_uuid, action: item.action },
      after: { cvm: found.vm_uuid, action: body.action },
    });
    const row = await adminOne(trx, adminDrainCvms, item.id);
    if (!row) throw missing(drainCvms, path.id);
    return {
      status: 200,
      headers: { ETag: etagOf(drainCvms.name, row.id, row.updated_at) },
      body: drainCvms.out(row),
    } as const;
  });
