import { sql } from 'kysely';
import { addEvent, beginOperation } from '../../db/activity/operations';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import { statusReason } from '../../db/cvms/statusReason';
import type { OperationType } from '../../domain/cvms/cvmStates';
import { decide, mayStartAgain, type Decision } from '../../domain/cvms/reconciliation';
import { isRecycled } from '../../domain/cvms/recycleBin';
import { isDown } from '../../domain/cvms/vmState';
import type { VmInfo } from '../../drivers/vmm';
import { operationText } from '../../../console/lib/texts/operationTexts';
import { join } from '../../../console/lib/texts/text';
import type { JobQueue } from '../core/queue';
import { findRunStop, leaveStopped } from '../billing/keepStopped';
import { keysRefused } from './keysRefused';

/** A host's report about a CVM. */
export interface Sighting {
  vm: VmInfo | undefined;
  host: string;
  asked_at: Date;
  /** The host's answer about VMs it doesn't list; null if it wasn't asked. */
  inquiry: { process_runs: boolean; refusal: string | null; other_vms: number } | null;
}

interface Act {
  trx: Tx;
  jobs: JobQueue;
  cvm: CvmRow;
  seen: Sighting;
  terms: Terms;
}

/** Installation settings that affect repairs. */
export interface Terms {
  /** Whether debts stop CVMs. */
  billingEnforced: boolean;
}

/**
 * Reconciles one settled CVM with its VM. Runs under the row's lock, and only if nothing started since the
 * host was queried.
 */
export async function reconcileCvm(
  { db, jobs, terms }: { db: Db; jobs: JobQueue; terms: Terms },
  { id, status }: Pick<CvmRow, 'id' | 'status'>,
  seen: Sighting,
): Promise<void> {
  await withTransaction(db, async (trx) => {
    const cvm = await trx.selectFrom('cvms').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!cvm || cvm.updated_at > seen.asked_at || cvm.status !== status) return;
    const decision = decide(cvm, seen.vm, seen.asked_at, seen.inquiry);
    await ACTS[decision]({ trx, jobs, cvm, seen, terms });
  });
}

const nothing = async (): Promise<void> => undefined;

const ACTS: Readonly<Record<Decision, (act: Act) => Promise<void>>> = {
  none: nothing,
  // Asked only in an earlier round, outside the lock.
  inquire: nothing,
  record,
  recover,
  lose,
  start: startAgain,
  delete: deleteAgain,
  note_missing: ({ trx, cvm, seen }) => noteMissing(trx, cvm, seen.asked_at),
  note_listed: ({ trx, cvm }) => noteMissing(trx, cvm, null),
  async find_stopped({ trx, cvm }) {
    await trx
      .updateTable('cvms')
      .set({ status: 'stopped', ...statusReason(null), missing_since: null, updated_at: new Date() })
      .where('id', '=', cvm.id)
      .execute();
    await addEvent(trx, { cvm, kind: 'cvm.found', message: 'Its host lists its VM again' });
  },
  stop: stopAgain,
};

async function noteMissing(trx: Tx, cvm: CvmRow, missing_since: Date | null): Promise<void> {
  if (cvm.missing_since !== null || missing_since !== null)
    await trx.updateTable('cvms').set({ missing_since }).where('id', '=', cvm.id).execute();
}

async function record({ trx, cvm, seen: { vm } }: Act): Promise<void> {
  await trx
    .updateTable('cvms')
    .set({
      observed_at: new Date(),
      instance_id: vm?.instance_id ?? cvm.instance_id,
      boot_progress: vm?.boot_progress ?? null,
      missing_since: null,
    })
    .where('id', '=', cvm.id)
    .execute();
}

async function recover(act: Act): Promise<void> {
  const { trx, cvm } = act;
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
  await record(act);
}

const STOPS: readonly OperationType[] = ['stop', 'shutdown'];

/** Whether the last operation was a stop that failed: its result isn't known to be recorded. */
async function failedToStop(trx: Tx, cvm: CvmRow): Promise<boolean> {
  const last = await trx
    .selectFrom('operations')
    .select(['type', 'state'])
    .where('cvm_id', '=', cvm.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.state === 'failed' && STOPS.includes(last.type);
}

/**
 * Whether the last of these operations failed too recently to be repeated: after 2 seconds to 10 minutes, longer
 * with each failure in a row.
 */
async function failedJustNow(trx: Tx, cvm: CvmRow, types: readonly OperationType[]): Promise<boolean> {
  const recent = await trx
    .selectFrom('operations')
    .select(['state', 'finished_at'])
    .where('cvm_id', '=', cvm.id)
    .where('type', 'in', types)
    .where('state', 'in', ['succeeded', 'failed'])
    .where('finished_at', '>', sql<Date>`now() - interval '1 day'`)
    .orderBy('finished_at', 'desc')
    .limit(MOST_FAILURES)
    .execute();
  const success = recent.findIndex(({ state }) => state === 'succeeded');
  const failures = success === -1 ? recent.length : success;
  const last = failures === 0 ? null : recent[0]?.finished_at;
  if (!last) return false;
  const pause_ms = Math.min(600, 2 ** failures) * 1000;
  return Date.now() - last.getTime() < pause_ms;
}

/** Failures after which the pause no longer grows. */
const MOST_FAILURES = 10;

/**
 * Stops a VM that should be stopped, again with backoff if that failed. After another operation failed on a stopped
 * CVM, there is nothing to stop, and its error stays until a user acts on it.
 */
async function stopAgain({ trx, jobs, cvm, seen: { vm } }: Act): Promise<void> {
  if (cvm.status === 'error') {
    if (isDown(vm) && !(await failedToStop(trx, cvm))) return noteMissing(trx, cvm, null);
    if (await failedJustNow(trx, cvm, STOPS)) return;
  }
  await noteMissing(trx, cvm, null);
  const operation = await beginOperation(trx, { cvm, type: 'stop', user_id: null });
  if (!isDown(vm))
    await addEvent(trx, {
      cvm,
      operation,
      kind: 'cvm.repair',
      severity: 'warning',
      message: 'The host runs this CVM although it should be stopped; stopping it',
    });
  await jobs.enqueueOperation(trx, operation.correlation_id);
}

/**
 * Retries an accepted deletion that failed for as long as the user wants the CVM gone, with backoff. Starting the CVM
 * withdraws the deletion.
 */
async function deleteAgain({ trx, jobs, cvm }: Act): Promise<void> {
  if (await failedJustNow(trx, cvm, ['delete', 'purge'])) return;
  const over = isRecycled(cvm) && cvm.purge_at !== null && cvm.purge_at <= new Date();
  const operation = await beginOperation(trx, {
    cvm,
    type: over ? 'purge' : 'delete',
    payload: { recycle: isRecycled(cvm) && !over },
    user_id: null,
  });
  await jobs.enqueueOperation(trx, operation.correlation_id);
}

/**
 * Records that a host no longer lists a CVM's VM. Nothing is created in its place: when a host briefly can't
 * load a VM (an unreadable manifest, an unmounted image or disk folder), the VM comes back with its disk.
 */
async function lose({ trx, cvm, seen: { host, inquiry } }: Act): Promise<void> {
  const { refusal = null, other_vms = 0 } = inquiry ?? {};
  const reason = join(
    operationText('lost_not_listed', { host }),
    ...(refusal === null ? [] : [operationText('lost_reload_refused', { text: refusal })]),
    ...(other_vms === 0 ? [] : [operationText('lost_other_vms', { count: other_vms })]),
    operationText('advice_vm_not_listed'),
  );
  await trx
    .updateTable('cvms')
    .set({ status: 'lost', ...statusReason(reason), started_at: null, updated_at: new Date() })
    .where('id', '=', cvm.id)
    .execute();
  await addEvent(trx, {
    cvm,
    kind: 'cvm.lost',
    severity: 'error',
    message: reason.text,
    data: { host, since: cvm.missing_since?.toISOString() ?? null },
  });
}

/**
 * Restarts a CVM that should run but doesn't, a few times, then reports it and waits for a user. A CVM that a
 * debt or a budget would stop stays stopped.
 */
async function startAgain({ trx, jobs, cvm, seen: { vm }, terms }: Act): Promise<void> {
  await noteMissing(trx, cvm, null);
  const refused = vm?.boot_error ? await keysRefused(trx, cvm, vm.boot_error) : null;
  const what = vm?.boot_error
    ? (refused?.reason ?? operationText('lost_boot_error', { text: vm.boot_error }))
    : vm
      ? operationText('lost_status', { status: vm.status })
      : operationText('lost_vm');
  const { count } = await trx
    .selectFrom('operations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('cvm_id', '=', cvm.id)
    .where('type', '=', 'start')
    .where('requested_by', 'is', null)
    .where('created_at', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  if (!mayStartAgain(count, vm)) {
    const reason = join(
      what,
      ...(vm?.boot_error ? [] : [operationText('restarts_failed', { count })]),
      refused?.advice ?? operationText('advice_start'),
    );
    await trx
      .updateTable('cvms')
      .set({ status: 'error', ...statusReason(reason), started_at: null, updated_at: new Date() })
      .where('id', '=', cvm.id)
      .execute();
    await addEvent(trx, { cvm, kind: 'cvm.lost', severity: 'error', message: reason.text });
    return;
  }
  const stop = await findRunStop(trx, cvm, { ...terms, now: new Date() });
  // A VM that boots, or whose state is unknown, is shut down by the job that stops CVMs.
  if (stop) return isDown(vm) ? leaveStopped(trx, cvm, stop) : undefined;
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
