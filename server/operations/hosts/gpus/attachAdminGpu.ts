import type { Tx } from '../../../db/core/client';
import { takeGpus } from '../../../db/hosts/gpus';
import { countGpus, heldForOthers } from '../../../db/hosts/waits/heldRoom';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import type { GpuRow } from '../../../db/hosts/gpusTable';
import { addEvent } from '../../../db/activity/operations';
import { utcMinute } from '../../../domain/core/dates';
import type { Handler } from '../../types';
import { invalid } from '../../core/invalid';
import { changeGpu, conflict, holderText } from './changeGpu';

/** The host passes it to the CVM at the next start; the CVM's price stays as agreed. */
export const attachAdminGpu: Handler<'attachAdminGpu'> = async ({ path, body, ctx }) =>
  changeGpu(ctx, path.id, {
    action: 'gpu.attach',
    after: { cvm_id: body.cvm_id },
    prepare: (trx) =>
      trx.selectFrom('cvms').select('id').where('vm_uuid', '=', body.cvm_id).forUpdate().execute(),
    async work(trx, gpu, holder) {
      const cvm = await cvmOf(trx, gpu, body.cvm_id);
      const { all, free, free_open } = await countGpus(trx, gpu.teepod_id, cvm.team_id);
      const others = `${free} of the host's ${all} GPUs ${free === 1 ? 'is' : 'are'} free for the team of “${cvm.name}”.`;
      if (holder) throw conflict(`The GPU ${gpu.slot} is ${holderText(holder)}; ${others}`);
      if (gpu.fault !== null) throw conflict(`The GPU ${gpu.slot} is faulty: ${gpu.fault}; ${others}`);
      if (!gpu.reported) throw conflict(`The host isn't reporting the GPU ${gpu.slot}; ${others}`);
      if (gpu.used_elsewhere)
        throw conflict(`The GPU ${gpu.slot} is used by a VM that this server doesn't manage; ${others}`);
      const reservation = await trx
        .selectFrom('reservations')
        .select('id')
        .where('cvm_id', '=', cvm.id)
        .where('teepod_id', '=', gpu.teepod_id)
        .executeTakeFirst();
      if (!reservation)
        throw conflict(`“${cvm.name}” has no capacity reserved on this host, so no GPU can be attached.`);
      const { teepod_id } = gpu;
      const take = { teepod_id, team_id: cvm.team_id, reservation_id: reservation.id, count: 1 };
      if (!(await takeGpus(trx, { ...take, gpu_id: gpu.id })))
        throw conflict(`The GPU ${gpu.slot} is reserved for another team; ${others}`, 'Release it first.');
      if (gpu.reserved_team_id !== cvm.team_id && free_open < 1) {
        const held = await heldForOthers(trx, take);
        const until = held ? ` until ${utcMinute(held.until)}` : '';
        throw conflict(
          `The GPU ${gpu.slot} is held for a team on the waitlist${until}; ${others}`,
          `Attach it later, or reserve it for the team of “${cvm.name}” first.`,
        );
      }
      await trx
        .updateTable('cvms')
        .set((eb) => ({ gpus: eb('gpus', '+', 1) }))
        .where('id', '=', cvm.id)
        .execute();
      await addEvent(trx, {
        cvm,
        kind: 'cvm.gpu_attached',
        message: `The GPU ${gpu.slot} was attached; available from the next start`,
        data: { slot: gpu.slot },
      });
      return {};
    },
  });

async function cvmOf(trx: Tx, gpu: GpuRow, vm_uuid: string): Promise<CvmRow> {
  const cvm = await trx
    .selectFrom('cvms')
    .selectAll()
    .where('vm_uuid', '=', vm_uuid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!cvm) throw invalid('cvm_id', 'CVM not found.');
  if (cvm.teepod_id !== gpu.teepod_id)
    throw conflict(
      `“${cvm.name}” and the GPU ${gpu.slot} are on different hosts.`,
      'Choose a GPU of its host.',
    );
  return cvm;
}
