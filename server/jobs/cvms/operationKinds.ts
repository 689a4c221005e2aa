import { STEPS } from '../../../console/lib/cvms/steps';
import { operationText } from '../../../console/lib/texts/operationTexts';
import { STOPPED } from '../../db/cvms/cvmsTable';
import { archiveEmptyApp } from '../../db/cvms/recycleBin';
import { statusReason } from '../../db/cvms/statusReason';
import type { OperationRow } from '../../db/activity/operationsTable';
import { findVm, shutDown, switchOff, waitForRemoval } from '../hosts/host';
import { boot, nowRunning } from './bootCvm';
import type { OperationRun } from './operationRun';
import { stopForBin } from './recycleBin';
import { requireAllowedWhileUp } from './requireAllowed';
import { resize } from './resizeCvm';
import { update } from './updateCvm';

type Kind = (run: OperationRun) => Promise<void>;

const deploy: Kind = async (run) => {
  await boot(run);
  run.noteLive(run.cvm.revision_id);
  await run.finish('succeeded', nowRunning());
};

const stop =
  (bringDown: typeof shutDown): Kind =>
  async (run) => {
    await run.step(STEPS.stop, async () => {
      const vm = await findVm(run);
      return vm ? bringDown(run, vm) : operationText('no_vm');
    });
    await run.finish('succeeded', STOPPED);
  };

const restart: Kind = async (run) => {
  const vm = await findVm(run);
  await requireAllowedWhileUp(run, vm);
  const bringDown = run.operation.payload.force ? switchOff : shutDown;
  await run.step(STEPS.stop, async () => (vm ? bringDown(run, vm) : operationText('no_vm')));
  await boot(run);
  await run.finish('succeeded', nowRunning());
};

const remove: Kind = async (run) => {
  if (run.operation.payload.recycle && (await stopForBin(run))) return;
  await run.step(STEPS.destroy, async () => {
    for (;;) {
      const vm = await findVm(run);
      if (!vm) return;
      await run.patient(() => run.driver.removeVm(vm.id, run));
      await waitForRemoval(run, run.driver, vm.id);
      if (vm.id === run.cvm.host_vm_id) await run.patchCvm({ host_vm_id: null });
    }
  });
  await run.finish(
    'succeeded',
    {
      status: 'deleted',
      desired: 'deleted',
      ...statusReason(null),
      deleted_at: run.cvm.deleted_at ?? new Date(),
      purge_at: null,
      started_at: null,
    },
    async (trx) => {
      await trx.deleteFrom('reservations').where('cvm_id', '=', run.cvm.id).execute();
      await archiveEmptyApp(trx, run.cvm.app_id);
    },
  );
};

/** Moves involve two hosts and are separate (moveCvm). */
export const operationKinds: Readonly<Record<Exclude<OperationRow['type'], 'move'>, Kind>> = {
  deploy,
  start: deploy,
  stop: stop(switchOff),
  shutdown: stop(shutDown),
  restart,
  update,
  resize,
  delete: remove,
  purge: remove,
};
