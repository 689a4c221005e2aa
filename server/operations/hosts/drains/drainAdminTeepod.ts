import { addCvmsToDrain, liveDrain, movableFacts } from '../../../db/hosts/drains';
import type { Tx } from '../../../db/core/client';
import type { TeepodRow } from '../../../db/hosts/teepodsTable';
import { mayMove } from '../../../domain/cvms/movable';
import { Problem } from '../../../domain/core/problem';
import { adminDrainOut } from '../../../domain/hosts/adminFleetResponse';
import type { Call, Handler } from '../../types';
import { adminOne } from '../../../db/core/adminList';
import { adminDrains } from '../../../db/hosts/adminDrains';
import { invalid } from '../../core/invalid';
import { lockTeepodOr404, setTeepodState } from '../teepod';
import { checkTexts } from '../../core/text';

const DAY_MS = 86_400_000;
const LATEST_MS = 30 * DAY_MS;

type Body = Call<'drainAdminTeepod'>['body'];

export const drainAdminTeepod: Handler<'drainAdminTeepod'> = async ({ path, body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    checkTexts(body, ['reason']);
    const teepod = await lockTeepodOr404(trx, path.id);
    const live = await liveDrain(trx, teepod.id);
    if (live)
      throw new Problem('CONFLICT', {
        message: `${teepod.name} is already being drained (drain ${live.id}).`,
        suggestions: ['Resolve its CVMs there, or cancel it first.'],
      });
    const stop_at = stopAt(body);
    await checkExceptions(trx, teepod, body);
    await setTeepodState(trx, teepod, 'draining');
    const { movable = 'move', others = 'stop', reason } = body;
    const drain = await trx
      .insertInto('drains')
      .values({
        teepod_id: teepod.id,
        movable,
        others,
        stop_at,
        reason,
        requested_by: ctx.caller.user?.id ?? null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const decided = new Map((body.exceptions ?? []).map(({ vm_uuid, action }) => [vm_uuid, action]));
    const total = await addCvmsToDrain(trx, drain, decided);
    await audit({
      action: 'teepod.drain',
      target_kind: 'teepod',
      target_id: String(teepod.id),
      before: { state: teepod.state },
      after: {
        state: 'draining',
        drain_id: drain.id,
        movable,
        others,
        stop_at: stop_at.toISOString(),
        reason,
        cvms: total,
      },
    });
    const row = await adminOne(trx, adminDrains, drain.id);
    if (!row) throw new Error('the drain that was just made is not there');
    return { status: 202, body: adminDrainOut(row) } as const;
  });

function stopAt({ stop_at }: Body): Date {
  const at = typeof stop_at === 'string' ? new Date(stop_at) : new Date(Date.now() + DAY_MS);
  if (Number.isNaN(at.getTime())) throw invalid('stop_at', 'Enter a valid time.');
  if (at.getTime() > Date.now() + LATEST_MS) throw invalid('stop_at', 'Must be at most 30 days from now.');
  return at;
}

/** Checks that each exception names a CVM of this host and that none moves a CVM that must stay. */
async function checkExceptions(trx: Tx, teepod: TeepodRow, { exceptions = [] }: Body): Promise<void> {
  if (exceptions.length === 0) return;
  const cvms = await trx
    .selectFrom('cvms')
    .select(['id', 'vm_uuid', 'name'])
    .where('teepod_id', '=', teepod.id)
    .where('deleted_at', 'is', null)
    .where(
      'vm_uuid',
      'in',
      exceptions.map(({ vm_uuid }) => vm_uuid),
    )
    .execute();
  for (const { vm_uuid, action } of exceptions) {
    const cvm = cvms.find((one) => one.vm_uuid === vm_uuid);
    if (!cvm) throw invalid('exceptions', `There is no CVM ${vm_uuid} on ${teepod.name}.`);
    if (action !== 'move') continue;
    const { allowed, why } = mayMove(await movableFacts(trx, cvm.id));
    if (!allowed) throw invalid('exceptions', `“${cvm.name}” can't be moved. ${why.text}`);
  }
}
