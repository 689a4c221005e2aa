import { addEvent } from '../../../db/activity/operations';
import type { Handler } from '../../types';
import { changeGpu, conflict } from './changeGpu';

export const detachAdminGpu: Handler<'detachAdminGpu'> = async ({ path, ctx }) =>
  changeGpu(ctx, path.id, {
    action: 'gpu.detach',
    before: (_, holder) => ({ cvm: holder?.cvm_name ?? null, team: holder?.team_name ?? null }),
    prepare: (trx) =>
      trx
        .selectFrom('cvms')
        .innerJoin('reservations', 'reservations.cvm_id', 'cvms.id')
        .innerJoin('gpus', 'gpus.reservation_id', 'reservations.id')
        .select('cvms.id')
        .where('gpus.id', '=', path.id)
        .forUpdate('cvms')
        .execute(),
    async work(trx, gpu, holder) {
      if (!holder || holder.cvm_id === null) throw conflict(`The GPU ${gpu.slot} isn't attached to a CVM.`);
      const cvm = await trx
        .selectFrom('cvms')
        .selectAll()
        .where('id', '=', holder.cvm_id)
        .forUpdate()
        .executeTakeFirstOrThrow();
      // Its VM would keep using it after it was assigned to the next one.
      if (cvm.status !== 'stopped')
        throw conflict(`“${cvm.name}” is ${cvm.status} and uses the GPU ${gpu.slot}.`, 'Stop the CVM first.');
      await trx
        .updateTable('cvms')
        .set((eb) => ({ gpus: eb.fn('greatest', [eb('gpus', '-', 1), eb.val(0)]) }))
        .where('id', '=', cvm.id)
        .execute();
      await addEvent(trx, {
        cvm,
        kind: 'cvm.gpu_detached',
        severity: 'warning',
        message: `The GPU ${gpu.slot} was detached; the CVM starts without it`,
        data: { slot: gpu.slot },
      });
      return { reservation_id: null };
    },
  });
