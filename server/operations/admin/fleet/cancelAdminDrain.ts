import { adminDrains, lockAnyDrain } from '../../../db/adminDrains';
import { adminOne } from '../../../db/adminList';
import { lockTeepod } from '../../../db/adminTeepods';
import { addEvent } from '../../../db/operations';
import type { Tx } from '../../../db/client';
import { Problem } from '../../../domain/problem';
import type { Handler } from '../../types';
import { etagOf, nextVersion } from '../change';
import { missing } from '../resource';
import { drains } from '../resourcesFleet';
import { setTeepodState } from './teepod';

export const cancelAdminDrain: Handler<'cancelAdminDrain'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const drain = await lockAnyDrain(trx, path.id);
    if (!drain) throw missing(drains, path.id);
    if (drain.state !== 'running' && drain.state !== 'blocked')
      throw new Problem('CONFLICT', { message: `It has ended already: ${drain.state}.` });
    await tellSpared(trx, drain.id);
    const now = new Date();
    await trx
      .updateTable('drain_cvms')
      .set((eb) => ({
        state: 'cancelled',
        message: eb
          .case()
          .when('operation_id', 'is', null)
          .then('Nothing was done to it.')
          .else('What had begun with it goes on by itself.')
          .end(),
        updated_at: now,
        finished_at: now,
      }))
      .where('drain_id', '=', drain.id)
      .where('state', 'in', ['waiting', 'moving', 'stopping', 'blocked'])
      .execute();
    await trx
      .updateTable('drains')
      .set({
        state: 'cancelled',
        message: null,
        cancelled_by: ctx.caller.user?.id ?? null,
        lease_owner: null,
        lease_until: null,
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

/** Teams that were told of a stop are told that it does not come. */
async function tellSpared(trx: Tx, drain_id: number): Promise<void> {
  const told = await trx
    .selectFrom('drain_cvms')
    .innerJoin('cvms', 'cvms.id', 'drain_cvms.cvm_id')
    .select(['cvms.id', 'cvms.team_id', 'cvms.app_id'])
    .where('drain_id', '=', drain_id)
    .where('drain_cvms.state', 'in', ['waiting', 'blocked'])
    .where('notified_at', 'is not', null)
    .limit(5000)
    .execute();
  for (const cvm of told)
    await addEvent(trx, {
      cvm,
      kind: 'cvm.drain_cancelled',
      message: 'Is not stopped after all: its host stays in service',
    });
}
