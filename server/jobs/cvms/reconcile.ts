import { sql } from 'kysely';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { addEvent, beginOperation } from '../../db/activity/operations';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { isRecycled } from '../../domain/cvms/recycleBin';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import type { VmInfo, VmmDriver } from '../../drivers/vmm';
import { countDrift } from '../../domain/hosts/drift';
import { keepHostEvents } from '../hosts/hostEvents';
import type { JobQueue } from '../core/queue';
import { syncTeepod } from '../hosts/syncTeepod';
import type { Worker } from './runOperation';
import { isSettled } from '../../../console/lib/cvms/allowedActions';
import { statusReason } from '../../db/cvms/statusReason';
import { operationText } from '../../../console/lib/texts/operationTexts';
import { join } from '../../../console/lib/texts/text';

/** Automatic starts per CVM within an hour before the reconciler leaves it to a user. */
const STARTS_PER_HOUR = 3;

/**
 * Compares the desired state with every teepod's report and repairs differences: a VM that should run is
 * started again, one that should not is stopped, one without an owner is removed. Only settled CVMs: a CVM
 * with a live operation belongs to that operation.
 */
export async function reconcileAll(worker: Worker, jobs: JobQueue): Promise<void> {
  const teepods = await worker.db
    .selectFrom('teepods')
    .selectAll()
    .where('state', '<>', 'offline')
    .orderBy('id')
    .limit(1000)
    .execute();
  // In parallel, so that a hanging host delays only itself.
  await Promise.all(
    teepods.map((teepod) =>
      reconcileTeepod(worker, jobs, teepod).catch((error: unknown) =>
        worker.log.error({ err: error, teepod: teepod.name }, 'a host could not be reconciled'),
      ),
    ),
  );
}

/** What a repair needs; request handlers have it too. */
export type Repairer = Pick<Worker, 'db' | 'vmm' | 'log'>;

/** Reconciles one host now, as every round does; an unresponsive one is recorded. */
export async function reconcileTeepod(worker: Repairer, jobs: JobQueue, teepod: TeepodRow): Promise<void> {
  const log = worker.log.child({ teepod: teepod.name });
  let driver: VmmDriver;
  let vms: VmInfo[];
  // Taken before the request: a CVM that changes while the host responds is left for the next round.
  const asked_at = new Date();
  try {
    driver = worker.vmm.get(teepod);
    vms = (await driver.status({ brief: true }, { signal: AbortSignal.timeout(15_000) })).vms;
  } catch (error) {
    await noteReachable(worker.db, teepod, false, error instanceof Error ? error.message : String(error));
    return;
  }
  await noteReachable(worker.db, teepod, true, null, driver);
  const cvms = await worker.db
    .selectFrom('cvms')
    .select(SEEN)
    .where('teepod_id', '=', teepod.id)
    // CVMs in the recycle bin are on the host too, and must stay stopped.
    .where((eb) => eb.or([eb('deleted_at', 'is', null), eb('purge_at', 'is not', null)]))
    .execute();
  await noteDrift(worker.db, teepod, countDrift(cvms, vms));
  const byUuid = new Map(cvms.map((cvm) => [cvm.vm_uuid, cvm]));
  const byId = new Map(vms.map((vm) => [vm.id, vm]));
  await keepHostEvents(
    worker.db,
    cvms.flatMap(({ id, host_vm_id }) => {
      const vm = host_vm_id === null ? undefined : byId.get(host_vm_id);
      return vm ? [{ cvm_id: id, vm }] : [];
    }),
  ).catch((error: unknown) => log.error({ err: error }, 'host events could not be stored yet'));
  for (const cvm of cvms) {
    const vm = cvm.host_vm_id === null ? undefined : byId.get(cvm.host_vm_id);
    if (isAsWished(cvm, vm)) continue;
    await reconcileCvm(worker.db, jobs, cvm, vm, asked_at).catch((error: unknown) =>
      log.error({ err: error, cvm: cvm.public_id }, 'a CVM could not be reconciled'),
    );
  }
  for (const vm of vms) {
    const uuid = uuidOfVmName(vm.name);
    if (!uuid || vm.status === 'removing') continue;
    const known = byUuid.get(uuid);
    const own = known?.host_vm_id ? byId.get(known.host_vm_id) : undefined;
    await removeStray(worker, driver, teepod.id, vm, uuid, { known, own }, asked_at).catch((error: unknown) =>
      log.warn({ err: error, vm: vm.id }, 'a stray VM could not be removed'),
    );
  }
}

/** Read for every CVM of a host each round, so without its texts and ciphertext. */
const SEEN = [
  'id',
  'public_id',
  'vm_uuid',
  'host_vm_id',
  'instance_id',
  'status',
  'desired',
  'boot_progress',
  'updated_at',
] as const;
type SeenCvm = Pick<CvmRow, (typeof SEEN)[number]>;

const isUp = (vm: VmInfo | undefined): vm is VmInfo =>
  vm?.status === 'running' && (vm.boot_progress === 'done' || vm.boot_progress === 'N/A') && !vm.boot_error;

/** Whether there is nothing to repair or record, as for almost every CVM in almost every round. */
function isAsWished(cvm: SeenCvm, vm: VmInfo | undefined): boolean {
  if (cvm.status === 'stopped') return cvm.desired !== 'stopped' || vm?.status !== 'running';
  if (cvm.status === 'error' && cvm.desired === 'deleted') return false;
  // A host that has just restarted and has not queried its engine yet.
  if (vm?.status === 'running' && vm.boot_progress === 'recovering') return true;
  if (cvm.status === 'error') return cvm.desired !== 'running' || !isUp(vm);
  if (cvm.status !== 'running' || cvm.desired !== 'running' || !isUp(vm)) return false;
  return cvm.boot_progress === vm.boot_progress && cvm.instance_id === (vm.instance_id ?? cvm.instance_id);
}

async function noteDrift(db: Db, teepod: TeepodRow, drift: number): Promise<void> {
  if (drift !== teepod.drift)
    await db.updateTable('teepods').set({ drift }).where('id', '=', teepod.id).execute();
}

async function noteReachable(
  db: Db,
  teepod: TeepodRow,
  reachable: boolean,
  last_error: string | null,
  driver?: VmmDriver,
): Promise<void> {
  const capabilities = driver ? await driver.capabilities().catch(() => undefined) : undefined;
  await db
    .updateTable('teepods')
    .set({
      reachable,
      last_error,
      ...(reachable ? { last_seen_at: new Date() } : {}),
      ...(reachable !== teepod.reachable ? { reachable_since: reachable ? new Date() : null } : {}),
      ...(capabilities ? { version: capabilities.version, warnings: capabilities.warnings } : {}),
    })
    .where('id', '=', teepod.id)
    // The address or credential has changed since: the old response says nothing about it.
    .where('url', '=', teepod.url)
    .where(sql<boolean>`sealed_credential is not distinct from ${teepod.sealed_credential}`)
    .execute();
  // Images and gateway change rarely, so they are read when a host comes (back) online.
  if (driver && !teepod.reachable) await syncTeepod(db, driver, teepod);
}

/**
 * Reconciles one settled CVM with its VM. Runs under the row's lock, and only if nothing started since the
 * host was queried.
 */
async function reconcileCvm(
  db: Db,
  jobs: JobQueue,
  seen: SeenCvm,
  vm: VmInfo | undefined,
  asked_at: Date,
): Promise<void> {
  if (!isSettled(seen.status)) return;
  await withTransaction(db, async (trx) => {
    const cvm = await trx
      .selectFrom('cvms')
      .selectAll()
      .where('id', '=', seen.id)
      .forUpdate()
      .executeTakeFirst();
    if (!cvm || cvm.updated_at > asked_at || cvm.status !== seen.status) return;
    if (cvm.desired === 'deleted') return deleteAgain(trx, jobs, cvm);
    if (cvm.desired === 'running' && isUp(vm)) {
      if (cvm.status === 'error') {
        await trx
          .updateTable('cvms')
          .set({
            status: 'running',
            ...statusReason(null),
            boot_error: null,
            started_at: new Date(),
            updated_at: new Date(),
          })
          .where('id', '=', cvm.id)
          .execute();
        await addEvent(trx, { cvm, kind: 'cvm.recovered', message: 'Running again' });
      }
      await trx
        .updateTable('cvms')
        .set({
          observed_at: new Date(),
          instance_id: vm.instance_id ?? cvm.instance_id,
          boot_progress: vm.boot_progress,
        })
        .where('id', '=', cvm.id)
        .execute();
      return;
    }
    if (cvm.desired === 'running' && cvm.status === 'running') return lostWhileRunning(trx, jobs, cvm, vm);
    if (cvm.desired === 'stopped' && vm?.status === 'running' && cvm.status === 'stopped') {
      const operation = await beginOperation(trx, { cvm, type: 'stop', user_id: null });
      await addEvent(trx, {
        cvm,
        operation,
        kind: 'cvm.repair',
        severity: 'warning',
        message: 'The host runs this CVM although it should be stopped; stopping it',
      });
      await jobs.enqueueOperation(trx, operation.correlation_id);
    }
  });
}

/**
 * Retries an accepted deletion that failed for as long as the user wants the CVM gone, with backoff from 2
 * seconds to 10 minutes. Starting the CVM withdraws the deletion.
 */
async function deleteAgain(trx: Tx, jobs: JobQueue, cvm: CvmRow): Promise<void> {
  const { failures, last } = await trx
    .selectFrom('operations')
    .select((eb) => [
      eb.fn.countAll<number>().as('failures'),
      eb.fn.max<Date | null>('finished_at').as('last'),
    ])
    .where('cvm_id', '=', cvm.id)
    .where('type', 'in', ['delete', 'purge'])
    .where('state', '=', 'failed')
    .executeTakeFirstOrThrow();
  const pause_ms = Math.min(600, 2 ** Math.min(failures, 10)) * 1000;
  if (last && Date.now() - last.getTime() < pause_ms) return;
  const over = isRecycled(cvm) && cvm.purge_at !== null && cvm.purge_at <= new Date();
  const operation = await beginOperation(trx, {
    cvm,
    type: over ? 'purge' : 'delete',
    payload: { recycle: isRecycled(cvm) && !over },
    user_id: null,
  });
  await jobs.enqueueOperation(trx, operation.correlation_id);
}

/** Restarts a CVM that should run and does not, a few times, then reports it and waits for a user. */
async function lostWhileRunning(trx: Tx, jobs: JobQueue, cvm: CvmRow, vm: VmInfo | undefined): Promise<void> {
  const what = vm?.boot_error
    ? operationText('lost_boot_error', { text: vm.boot_error })
    : vm
      ? operationText('lost_status', { status: vm.status })
      : operationText('lost_vm');
  const starts = await trx
    .selectFrom('operations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('cvm_id', '=', cvm.id)
    .where('type', '=', 'start')
    .where('requested_by', 'is', null)
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  if (starts.count >= STARTS_PER_HOUR || vm?.boot_error) {
    const reason = join(
      what,
      ...(vm?.boot_error ? [] : [operationText('restarts_failed', { count: starts.count })]),
      operationText('advice_start'),
    );
    await trx
      .updateTable('cvms')
      .set({ status: 'error', ...statusReason(reason), started_at: null, updated_at: new Date() })
      .where('id', '=', cvm.id)
      .execute();
    await addEvent(trx, { cvm, kind: 'cvm.lost', severity: 'error', message: reason.text });
    return;
  }
  const operation = await beginOperation(trx, { cvm, type: 'start', user_id: null });
  await addEvent(trx, {
    cvm,
    operation,
    kind: 'cvm.repair',
    severity: 'warning',
    message: `${what.text} Starting it again.`,
  });
  await jobs.enqueueOperation(trx, operation.correlation_id);
}

/** Whether its CVM is deleted, or was moved to another host and left this VM behind. */
export async function isLeftBehind(
  db: Db,
  uuid: string,
  teepod_id: number,
  asked_at: Date,
): Promise<boolean> {
  const cvm = await db
    .selectFrom('cvms')
    .select(['teepod_id', 'status', 'deleted_at', 'updated_at'])
    .where('vm_uuid', '=', uuid)
    .executeTakeFirst();
  if (!cvm) return false;
  if (cvm.deleted_at !== null) return true;
  return cvm.teepod_id !== teepod_id && cvm.status === 'running' && cvm.updated_at < asked_at;
}

/**
 * Removes one of our VMs whose CVM is deleted, or a second one for a CVM that has another on this host. It
 * stays if its CVM has none here: it may be the CVM's own VM and disk, from a host that was offline or a
 * restored database, and the CVM's next start uses it. VMs of other owners are not touched.
 */
async function removeStray(
  worker: Repairer,
  driver: VmmDriver,
  teepod_id: number,
  vm: VmInfo,
  uuid: string,
  { known, own }: { known: SeenCvm | undefined; own: VmInfo | undefined },
  asked_at: Date,
): Promise<void> {
  if (known) {
    const settled =
      own !== undefined &&
      own.id !== vm.id &&
      own.status !== 'removing' &&
      known.updated_at < asked_at &&
      isSettled(known.status);
    if (!settled) return;
  } else {
    if (!(await isLeftBehind(worker.db, uuid, teepod_id, asked_at))) return;
  }
  worker.log.warn({ vm: vm.id, cvm: uuid }, 'removing a VM that no CVM owns');
  await driver.removeVm(vm.id, { signal: AbortSignal.timeout(30_000) });
}
