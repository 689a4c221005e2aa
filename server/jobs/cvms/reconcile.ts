import { sql } from 'kysely';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { addEvent, beginOperation } from '../../db/activity/operations';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { isRecycled } from '../../domain/cvms/recycleBin';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import { isUp } from '../../domain/cvms/vmState';
import type { VmInfo, VmmDriver } from '../../drivers/vmm';
import { countDrift } from '../../domain/hosts/drift';
import { keepHostEvents } from '../hosts/hostEvents';
import type { JobQueue } from '../core/queue';
import { removeStrays } from '../hosts/strayVms';
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
 * started again, one that should not is stopped, one left over from a deletion or a move is removed. Only settled
 * CVMs: a CVM with a live operation belongs to that operation.
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
  const named = new Set(vms.map(({ name }) => uuidOfVmName(name)));
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
    const seen = { vm, is_listed: vm !== undefined || named.has(cvm.vm_uuid), host: teepod.name, asked_at };
    await reconcileCvm(worker.db, jobs, cvm, seen).catch((error: unknown) =>
      log.error({ err: error, cvm: cvm.public_id }, 'a CVM could not be reconciled'),
    );
  }
  const known = new Set(cvms.map(({ vm_uuid }) => vm_uuid));
  await removeStrays({ ...worker, log }, driver, teepod, vms, known, asked_at).catch((error: unknown) =>
    log.warn({ err: error }, 'leftover VMs could not be removed'),
  );
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
  'missing_since',
  'updated_at',
] as const;
type SeenCvm = Pick<CvmRow, (typeof SEEN)[number]>;

/** What a host reported of a CVM. */
interface Sighting {
  vm: VmInfo | undefined;
  /** The host lists the CVM's VM, or another one of its name. */
  is_listed: boolean;
  host: string;
  asked_at: Date;
}

/** Whether there is nothing to repair or record, as for almost every CVM in almost every round. */
function isAsWished(cvm: SeenCvm, vm: VmInfo | undefined): boolean {
  if (cvm.status === 'stopped') return cvm.desired !== 'stopped' || vm?.status !== 'running';
  if (cvm.status === 'error' && cvm.desired === 'deleted') return false;
  // A host that has just restarted and has not queried its engine yet.
  if (vm?.status === 'running' && vm.boot_progress === 'recovering') return true;
  if (vm !== undefined && cvm.missing_since !== null) return false;
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
  { vm, is_listed, host, asked_at }: Sighting,
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
          missing_since: null,
        })
        .where('id', '=', cvm.id)
        .execute();
      return;
    }
    if (vm !== undefined && cvm.missing_since !== null) {
      await trx.updateTable('cvms').set({ missing_since: null }).where('id', '=', cvm.id).execute();
      if (cvm.desired === 'running') return lostWhileRunning(trx, jobs, cvm, vm);
    }
    if (cvm.desired === 'running' && cvm.status === 'running')
      return is_listed ? lostWhileRunning(trx, jobs, cvm, vm) : outOfSight(trx, cvm, host, asked_at);
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

/** A host that is restarting may list its VMs only after a while. */
const MISSING_GRACE_MS = 30_000;

/**
 * Reports a CVM whose VM its host no longer lists, once that has been so for a while. Nothing is created in its place:
 * when a host can't load a VM for a moment (an unreadable manifest, an image or disk folder that isn't mounted), the VM
 * comes back with its disk.
 */
async function outOfSight(trx: Tx, cvm: CvmRow, host: string, asked_at: Date): Promise<void> {
  if (cvm.missing_since === null) {
    await trx.updateTable('cvms').set({ missing_since: asked_at }).where('id', '=', cvm.id).execute();
    return;
  }
  if (asked_at.getTime() - cvm.missing_since.getTime() < MISSING_GRACE_MS) return;
  const reason = join(operationText('lost_not_listed', { host }), operationText('advice_vm_not_listed'));
  await trx
    .updateTable('cvms')
    .set({ status: 'error', ...statusReason(reason), started_at: null, updated_at: new Date() })
    .where('id', '=', cvm.id)
    .execute();
  await addEvent(trx, { cvm, kind: 'cvm.lost', severity: 'error', message: reason.text });
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
