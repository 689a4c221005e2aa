import { drainActions, ENDED_DRAIN_CVM, isAllowed } from '../../../../console/lib/hosts/allowedActions';
import { adminDrains, lockAnyDrain } from '../../../db/hosts/adminDrains';
import { adminOne } from '../../../db/core/adminList';
import { lockTeepod } from '../../../db/hosts/adminTeepods';
import { NO_LEASE } from '../../../db/core/leases';
import { addEvent } from '../../../db/activity/operations';
import type { Tx } from '../../../db/core/client';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { etagOf, nextVersion } from '../../core/admin/change';
import { missing } from '../../core/admin/resource';
import { drains } from '../../core/admin/resourcesFleet';
import { setTeepodState } from '../teepod';
import { drainText } from '../../../../console/lib/texts/drainTexts';
import { toJson } from '../../../db/core/json';

export const cancelAdminDrain: Handler<'cancelAdminDrain'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const drain = await lockAnyDrain(trx, path.id);
    if (!drain) throw missing(drains, path.id);
    if (!isAllowed(drainActions.cancel, drain.state))
      throw new Problem('CONFLICT', { message: `It has already ended: ${drain.state}.` });
    await notifySpared(trx, drain.id);
    const now = new Date();
    for (const begun of [false, true]) {
      const { keys, text } = drainText(begun ? 'drain_canceled_late' : 'drain_canceled');
      await trx
        .updateTable('drain_cvms')
        .set({
          state: 'cancelled',
          message: text,
          message_keys: toJson(keys),
          updated_at: now,
          finished_at: now,
        })
        .where('drain_id', '=', drain.id)
        .where('state', 'not in', ENDED_DRAIN_CVM)
        .where('operation_id', begun ? 'is not' : 'is', null)
        .execute();
    }
    await trx
      .updateTable('drains')
      .set({
        state: 'cancelled',
        message: null,
        message_keys: '[]',
        cancelled_by: ctx.caller.user?.id ?? null,
        ...NO_LEASE,
        updated_at: nextVersion(drain),
        finished_at: now,
      })
      .where('id', '=', drain.id)
      .execute();
    const teepod = await lockTeepod(trx, drain.teepod_id);
    if (teepod?.state === 'draining') await setTeepodState(trx, teepod, 'cordoned');
    await audit({
      action: 'drain.cancel',
      target_kind: 'drain',
      target_id: String(drain.id),
      before: { state: drain.state },
      after: { state: 'cancelled' },
    });
    const row = await adminOne(trx, adminDrains, drain.id);
    if (!row) throw missing(drains, path.id);
    return {
      status: 200,
      headers: { ETag: etagOf(drains.name, row.id, row.updated_at) },
      body: drains.out(row),
    } as const;
  });

/** Notifies teams of a canceled stop if they had been notified of the stop. */
async function notifySpared(trx: Tx, drain_id: number): Promise<void> {
  const notified = await trx
    .selectFrom('drain_cvms')
    .innerJoin('cvms', 'cvms.id', 'drain_cvms.cvm_id')
    .select(['cvms.id', 'cvms.team_id', 'cvms.app_id'])
    .where('drain_id', '=', drain_id)
    .where('drain_cvms.state', 'in', ['waiting', 'blocked'])
    .where('notified_at', 'is not', null)
    .limit(5000)
    .execute();
  for (const cvm of notified)
    await addEvent(trx, {
      cvm,
      kind: 'cvm.drain_cancelled',
      message: 'Won’t be stopped: its host stays in service',
    });
}
