import { archiveEmptyApp } from '../db/recycleBin';
import { holdExactly } from '../db/reservations';
import { outcome } from '../domain/cvmStates';
import type { Tx } from '../db/client';
import type { CvmRow, OperationRow, RevisionRow } from '../db/schema';
import type { GpuSelection, VmChange, VmInfo } from '../drivers/vmm';
import { STEPS } from '../domain/cancelling';
import { stopForBin } from './recycleBin';
import { bringDown, ensureVm, findVm, gpusOf, refused, waitForBoot } from './host';
import { OperationFailed, type OperationRun } from './operationRun';

type Kind = (run: OperationRun) => Promise<void>;

const previous = (run: OperationRun) =>
  run.operation.payload.previous ?? { status: run.cvm.status, desired: run.cvm.desired };

async function appAndRevision(
  run: OperationRun,
  revision_id: number,
): Promise<{ app_id: string; revision: RevisionRow }> {
  const app = await run.db
    .selectFrom('apps')
    .select('app_id')
    .where('id', '=', run.cvm.app_id)
    .executeTakeFirstOrThrow();
  const revision = await run.db
    .selectFrom('revisions')
    .selectAll()
    .where('id', '=', revision_id)
    .executeTakeFirstOrThrow();
  return { app_id: app.app_id, revision };
}

export const nowRunning = () => ({
  status: 'running' as const,
  status_reason: null,
  boot_error: null,
  started_at: new Date(),
  observed_at: new Date(),
});

/** The VM is there, started, and its containers are up. */
export async function boot(run: OperationRun): Promise<void> {
  let vm: VmInfo | undefined;
  await run.step(STEPS.prepare, async () => {
    const { app_id, revision } = await appAndRevision(run, run.cvm.revision_id);
    vm = await ensureVm(run, app_id, revision, run.cvm.encrypted_env);
    await bringInLine(run, vm, revision);
  });
  await startAndFollow(run, vm ?? (await stillThere(run)));
}

async function stillThere(run: OperationRun): Promise<VmInfo> {
  const vm = await findVm(run);
  if (vm) return vm;
  throw new OperationFailed(
    'HOST_REFUSED',
    'The VM is no longer on its host.',
    'Start it again to have it made anew.',
  );
}

/**
 * A VM that is down may still hold what a change left there that failed on its way back too. What it boots is always
 * what the CVM's row says.
 */
async function bringInLine(run: OperationRun, vm: VmInfo, revision: RevisionRow): Promise<void> {
  if (vm.status !== 'stopped' && vm.status !== 'exited') return;
  const { configuration } =
    (vm.configuration ? vm : await run.patient(() => run.driver.getInfo(vm.id, run))) ?? vm;
  if (!configuration) return;
  const { app_compose } = revision;
  const { encrypted_env, os_image, vcpu, memory_mb } = run.cvm;
  const gpus = await gpusOf(run);
  const change: VmChange = {
    ...(sameGpus(configuration.gpus, gpus) ? {} : { gpus }),
    ...(configuration.compose_file === app_compose ? {} : { compose_file: app_compose }),
    ...(encrypted_env === null || configuration.encrypted_env === encrypted_env ? {} : { encrypted_env }),
    ...(configuration.image === os_image ? {} : { image: os_image }),
    ...(configuration.vcpu === vcpu ? {} : { vcpu }),
    ...(configuration.memory === memory_mb ? {} : { memory: memory_mb }),
  };
  if (Object.keys(change).length > 0) await changeVm(run, vm.id, change);
}

/** An absent selection is one of none. */
const sameGpus = (has: { attach_mode: string; gpus: GpuSelection['gpus'] } | null, wanted: GpuSelection) =>
  (has?.attach_mode || 'listed') === wanted.attach_mode && gpuKey(has?.gpus ?? []) === gpuKey(wanted.gpus);

const gpuKey = (gpus: GpuSelection['gpus']) =>
  gpus
    .map(({ slot }) => slot.toLowerCase())
    .sort()
    .join();

async function startAndFollow(run: OperationRun, vm: VmInfo): Promise<void> {
  const id = vm.id;
  await run.step('start', async () => {
    // A host leaves a running VM as it is, also one whose boot failed: that one is brought down first.
    if (vm.status === 'running' && vm.boot_error) await bringDown(run, vm, false);
    if (vm.status !== 'running' || vm.boot_error)
      await run
        .patient(() => run.driver.startVm(id, run))
        .catch((error: unknown) => Promise.reject(refused(error)));
  });
  await run.step('boot', () => waitForBoot(run, id));
}

const deploy: Kind = async (run) => {
  await boot(run);
  await run.finish('succeeded', nowRunning(), (trx) => wentLive(trx, run.cvm.revision_id));
};

/** A CVM runs the revision: from now on it is live, and superseded one day, but no draft any more. */
async function wentLive(trx: Tx, revision_id: number): Promise<void> {
  await trx
    .updateTable('revisions')
    .set({ live_at: new Date() })
    .where('id', '=', revision_id)
    .where('live_at', 'is', null)
    .execute();
}

const stop =
  (graceful: boolean): Kind =>
  async (run) => {
    await run.step('stop', async () => {
      const vm = await findVm(run);
      return vm ? bringDown(run, vm, graceful) : 'there was no VM';
    });
    await run.finish('succeeded', {
      status: 'stopped',
      status_reason: null,
      boot_progress: null,
      boot_error: null,
      started_at: null,
    });
  };

const restart: Kind = async (run) => {
  await run.step('stop', async () => {
    const vm = await findVm(run);
    return vm ? bringDown(run, vm, !run.operation.payload.force) : 'there was no VM';
  });
  await boot(run);
  await run.finish('succeeded', nowRunning());
};

/** Puts a revision (or just a new environment) on the host; a host applies it at the next boot only. */
const update: Kind = async (run) => {
  const { payload } = run.operation;
  const { app_id, revision } = await appAndRevision(run, payload.revision_id ?? run.cvm.revision_id);
  const encrypted_env = payload.encrypted_env ?? run.cvm.encrypted_env;
  const live = {
    revision_id: revision.id,
    encrypted_env,
    ...(payload.os_image ? { os_image: payload.os_image } : {}),
    public_logs: payload.public_logs ?? run.cvm.public_logs,
    public_sysinfo: payload.public_sysinfo ?? run.cvm.public_sysinfo,
    public_tcbinfo: payload.public_tcbinfo ?? run.cvm.public_tcbinfo,
  };
  const existing = await findVm(run);
  // A crash while going back: what failed is known, only the way back is finished.
  if (existing && run.began(GO_BACK))
    await revert(run, existing.id, new OperationFailed('HOST_REFUSED', 'The new revision did not boot.'));
  const write = async (vm: VmInfo) => {
    try {
      await run.step(STEPS.write, async () => {
        await keepUserConfig(run, vm);
        await writeRevision(run, vm.id, revision, payload.encrypted_env, payload.user_config);
      });
    } catch (error) {
      if (error instanceof OperationFailed) await leaveAsItWas(run, error);
      throw error;
    }
  };
  if (outcome('update', { desired: previous(run).desired as 'running' }).target === 'stopped') {
    if (existing) {
      await write(existing);
      try {
        await writeImage(run, existing.id, payload.os_image);
      } catch (error) {
        if (!(error instanceof OperationFailed)) throw error;
        await writeBack(run, existing.id);
        await leaveAsItWas(run, error);
      }
    }
    await run.finish('succeeded', { ...live, status: 'stopped', status_reason: null }, (trx) =>
      wentLive(trx, revision.id),
    );
    return;
  }
  if (existing) await write(existing);
  try {
    if (existing) {
      await run.step(STEPS.stop, () => bringDown(run, existing, true));
      await writeImage(run, existing.id, payload.os_image);
      await startAndFollow(run, { ...existing, status: 'stopped' });
    } else {
      let made: VmInfo | null = null;
      await run.step(STEPS.prepare, async () => {
        made = await ensureVm(run, app_id, revision, encrypted_env);
      });
      await startAndFollow(run, made ?? (await stillThere(run)));
    }
  } catch (error) {
    if (error instanceof OperationFailed && existing) await revert(run, existing.id, error);
    throw error;
  }
  await run.finish('succeeded', { ...nowRunning(), ...live }, (trx) => wentLive(trx, revision.id));
};

function writeRevision(
  run: OperationRun,
  vm_id: string,
  revision: RevisionRow,
  encrypted_env: string | undefined,
  user_config: string | undefined,
) {
  const change = {
    compose_file: revision.app_compose,
    ...(encrypted_env === undefined ? {} : { encrypted_env }),
    ...(user_config === undefined ? {} : { user_config }),
  };
  return changeVm(run, vm_id, change);
}

/** A host takes another image only while the VM is off. */
async function writeImage(run: OperationRun, vm_id: string, image: string | undefined): Promise<void> {
  if (image) await run.step(STEPS.image, () => changeVm(run, vm_id, { image }));
}

const changeVm = (run: OperationRun, vm_id: string, change: VmChange) =>
  run
    .patient(() => run.driver.updateVm(vm_id, change, run))
    .catch((error: unknown) => Promise.reject(refused(error)));

const GO_BACK = STEPS.go_back;
const GO_BACK_SECONDS = 300;

/** The host took nothing of it, so the CVM goes on as before; in error only if it was. */
async function leaveAsItWas(run: OperationRun, failure: OperationFailed): Promise<never> {
  const { status } = previous(run);
  await run.finish(
    'failed',
    { status: status as CvmRow['status'], status_reason: status === 'error' ? failure.message : null },
    undefined,
    failure,
  );
  throw new AlreadyFinished();
}

/** A failed update leaves what ran before running: the old revision goes back on the host and is booted. */
async function revert(run: OperationRun, vm_id: string, failure: OperationFailed): Promise<never> {
  // The new revision may have used up all the time there was; what runs nothing yet is not left at that.
  if (!run.began(GO_BACK)) await run.moreTime(GO_BACK_SECONDS);
  await putBack(run, vm_id);
  await run.finish(
    'failed',
    nowRunning(),
    undefined,
    new OperationFailed(failure.code, `${failure.message} The previous revision runs again.`),
  );
  throw new AlreadyFinished();
}

/** What ran before is on the host again and runs. */
export async function putBack(run: OperationRun, vm_id: string): Promise<void> {
  await run.step(GO_BACK, async () => {
    await writePrevious(run, vm_id);
    await run.patient(() => run.driver.stopVm(vm_id, run));
    await run.until('Stopping', async () => {
      const vm = await run.driver.getInfo(vm_id, run);
      return !vm || vm.status === 'stopped' || vm.status === 'exited' ? true : undefined;
    });
    // By now the new one may be on the host; if it is not, writing the old one changes nothing.
    if (run.operation.payload.os_image) await changeVm(run, vm_id, { image: run.cvm.os_image });
    await run.patient(() => run.driver.startVm(vm_id, run));
    await waitForBoot(run, vm_id);
  });
}

/** The same for a VM that was not touched but for its files, which its next boot would have read. */
export async function writeBack(run: OperationRun, vm_id: string): Promise<void> {
  await run.step('put the previous revision back', async () => {
    await writePrevious(run, vm_id);
    if (run.began(STEPS.image)) await changeVm(run, vm_id, { image: run.cvm.os_image });
  });
}

async function writePrevious(run: OperationRun, vm_id: string): Promise<void> {
  const { revision } = await appAndRevision(run, run.cvm.revision_id);
  const { previous_user_config } = run.operation.payload;
  await writeRevision(run, vm_id, revision, run.cvm.encrypted_env ?? undefined, previous_user_config);
}

/** Only the host has the present one: noted before it is overwritten, for the way back. */
async function keepUserConfig(run: OperationRun, vm: VmInfo): Promise<void> {
  const { payload } = run.operation;
  if (payload.user_config === undefined || payload.previous_user_config !== undefined) return;
  const { configuration } =
    (vm.configuration ? vm : await run.patient(() => run.driver.getInfo(vm.id, run))) ?? vm;
  if (configuration?.user_config) await run.patchPayload({ previous_user_config: configuration.user_config });
}

/** The run has written its own end. */
export class AlreadyFinished extends Error {}

const resize: Kind = async (run) => {
  const { payload } = run.operation;
  const size = {
    vcpu: payload.vcpu ?? run.cvm.vcpu,
    memory_mb: payload.memory_mb ?? run.cvm.memory_mb,
    disk_gb: payload.disk_gb ?? run.cvm.disk_gb,
  };
  const stopped = outcome('resize', { desired: previous(run).desired as 'running' }).target === 'stopped';
  const vm = await findVm(run);
  if (vm) {
    await run.step(STEPS.stop, () => bringDown(run, vm, true));
    const { vcpu, memory_mb: memory, disk_gb: disk_size } = size;
    try {
      await run.step(STEPS.size, () => changeVm(run, vm.id, { vcpu, memory, disk_size }));
    } catch (error) {
      if (error instanceof OperationFailed) await runAgain(run, error, stopped);
      throw error;
    }
  }
  const kept = {
    ...size,
    instance_type: payload.instance_type ?? null,
    hourly_rate_micros: payload.hourly_rate_micros ?? run.cvm.hourly_rate_micros,
  };
  await run.patchCvm(kept);
  if (!stopped) await boot(run);
  const settle = (trx: Tx) => holdExactly(trx, run.cvm.id, size);
  await run.finish('succeeded', stopped ? { status: 'stopped', status_reason: null } : nowRunning(), settle);
};

/** The host refused the new size: the CVM goes on with the one it has. */
async function runAgain(run: OperationRun, failure: OperationFailed, stopped: boolean): Promise<never> {
  if (!stopped) await boot(run);
  await run.finish(
    'failed',
    stopped ? { status: 'stopped', status_reason: null } : nowRunning(),
    (trx) => holdExactly(trx, run.cvm.id, run.cvm),
    new OperationFailed(
      failure.code,
      `${failure.message} It ${stopped ? 'keeps' : 'runs again with'} its size.`,
    ),
  );
  throw new AlreadyFinished();
}

const remove: Kind = async (run) => {
  if (run.operation.payload.recycle && (await stopForBin(run))) return;
  await run.step('remove the VM and its disk', async () => {
    for (;;) {
      const vm = await findVm(run);
      if (!vm) return;
      await run.patient(() => run.driver.removeVm(vm.id, run));
      await run.until('Removing', async () =>
        (await run.driver.getInfo(vm.id, run)) === null ? true : undefined,
      );
      if (vm.id === run.cvm.host_vm_id) await run.patchCvm({ host_vm_id: null });
    }
  });
  await run.finish(
    'succeeded',
    {
      status: 'deleted',
      desired: 'deleted',
      status_reason: null,
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

/** A move works on two hosts and stands apart (moveCvm). */
export const operationKinds: Readonly<Record<Exclude<OperationRow['type'], 'move'>, Kind>> = {
  deploy,
  start: deploy,
  stop: stop(false),
  shutdown: stop(true),
  restart,
  update,
  resize,
  delete: remove,
  purge: remove,
};
