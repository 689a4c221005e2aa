import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../db/core/client';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { hasImages } from '../../db/hosts/hosts';
import { decide } from '../../domain/cvms/reconciliation';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import type { VmmDriver } from '../../drivers/vmm';
import { countDrift } from '../../domain/hosts/drift';
import { noteDuplicates } from '../hosts/duplicateVms';
import { releaseGivenUp } from '../hosts/givenUpVms';
import { keepHostEvents } from '../hosts/hostEvents';
import type { JobQueue } from '../core/queue';
import { removeStrays } from '../hosts/strayVms';
import { syncTeepod } from '../hosts/syncTeepod';
import { inquire } from './inquire';
import { reconcileCvm, type Sighting } from './reconcileCvm';
import type { Worker } from './runOperation';

/** How long a run waits for its hosts; slower ones finish on their own. */
const PATIENCE_MS = 5_000;

/**
 * Returns a run of the reconciler, which compares the desired state with every teepod's report and repairs differences: a
 * VM that should run is started again, one that should not is stopped, one left over from a deletion or a move is removed.
 * Only settled CVMs: a CVM with a live operation belongs to that operation.
 *
 * A host's round may take minutes when each reply is slow. It delays only the next round of the same host, so a run
 * leaves out the hosts whose round has not ended.
 */
export function reconciler(worker: Repairer, jobs: JobQueue, patience_ms = PATIENCE_MS): () => Promise<void> {
  const rounds = new Map<number, Promise<void>>();
  const begin = (teepod: TeepodRow): void => {
    const round = reconcileTeepod(worker, jobs, teepod)
      .catch((error: unknown) =>
        worker.log.error({ err: error, teepod: teepod.name }, 'a host could not be reconciled'),
      )
      .finally(() => rounds.delete(teepod.id));
    rounds.set(teepod.id, round);
  };
  return async () => {
    const teepods = await worker.db
      .selectFrom('teepods')
      .selectAll()
      .where('state', '<>', 'offline')
      .orderBy('id')
      .limit(1000)
      .execute();
    teepods.filter(({ id }) => !rounds.has(id)).forEach(begin);
    const patience = new AbortController();
    await Promise.race([
      Promise.all(rounds.values()),
      wait(patience_ms, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
  };
}

/** What a repair needs; request handlers have it too. */
export type Repairer = Pick<Worker, 'db' | 'vmm' | 'log'>;

/** Reconciles one host now, as every round does; an unresponsive one is recorded. */
export async function reconcileTeepod(worker: Repairer, jobs: JobQueue, teepod: TeepodRow): Promise<void> {
  const log = worker.log.child({ teepod: teepod.name });
  let driver: VmmDriver;
  let page: Awaited<ReturnType<VmmDriver['status']>>;
  // Taken before the request: a CVM that changes while the host responds is left for the next round.
  const asked_at = new Date();
  try {
    driver = worker.vmm.get(teepod);
    page = await driver.status({ brief: true }, { signal: AbortSignal.timeout(15_000) });
  } catch (error) {
    await noteReachable(worker.db, teepod, false, error instanceof Error ? error.message : String(error));
    return;
  }
  const { vms, port_mapping_enabled } = page;
  await noteReachable(worker.db, teepod, true, null, { driver, port_mapping: port_mapping_enabled });
  await syncIfDue({ ...worker, log }, driver, teepod);
  const cvms = await worker.db
    .selectFrom('cvms')
    .select(SEEN)
    .where('teepod_id', '=', teepod.id)
    // CVMs in the recycle bin are on the host too, and must stay stopped.
    .where((eb) => eb.or([eb('deleted_at', 'is', null), eb('purge_at', 'is not', null)]))
    .execute();
  await noteDrift(worker.db, teepod, countDrift(cvms, vms));
  const byId = new Map(vms.map((vm) => [vm.id, vm]));
  await keepHostEvents(
    worker.db,
    cvms.flatMap(({ id, host_vm_id }) => {
      const vm = host_vm_id === null ? undefined : byId.get(host_vm_id);
      return vm ? [{ cvm_id: id, vm }] : [];
    }),
  ).catch((error: unknown) => log.error({ err: error }, 'host events could not be stored yet'));
  const missing: SeenCvm[] = [];
  for (const cvm of cvms) {
    const vm = cvm.host_vm_id === null ? undefined : byId.get(cvm.host_vm_id);
    const decision = decide(cvm, vm, asked_at);
    if (decision === 'inquire') missing.push(cvm);
    else if (decision !== 'none')
      await attempt(worker, jobs, cvm, { vm, host: teepod.name, asked_at, inquiry: null }, log);
  }
  if (missing.length > 0) await askAbout({ ...worker, log }, jobs, driver, teepod, missing);
  const used = new Set(cvms.flatMap(({ host_vm_id }) => host_vm_id ?? []));
  await noteDuplicates(worker.db, driver, teepod, vms, used).catch((error: unknown) =>
    log.warn({ err: error }, 'duplicate VMs could not be stored'),
  );
  await releaseGivenUp({ db: worker.db, log }, driver, teepod, vms).catch((error: unknown) =>
    log.warn({ err: error }, 'ports and GPUs of given-up VMs could not be released'),
  );
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
  'purge_at',
  'updated_at',
] as const;
type SeenCvm = Pick<CvmRow, (typeof SEEN)[number]>;

const attempt = (worker: Repairer, jobs: JobQueue, cvm: SeenCvm, seen: Sighting, log: Repairer['log']) =>
  reconcileCvm(worker.db, jobs, cvm.id, cvm.status, seen).catch((error: unknown) =>
    log.error({ err: error, cvm: cvm.public_id }, 'a CVM could not be reconciled'),
  );

/** Before a CVM counts as lost, its host is asked to load its VMs again. If it doesn't answer, nothing changes. */
async function askAbout(
  worker: Repairer,
  jobs: JobQueue,
  driver: VmmDriver,
  teepod: TeepodRow,
  missing: readonly SeenCvm[],
): Promise<void> {
  const asked_at = new Date();
  const answer = await inquire(driver).catch((error: unknown) => {
    worker.log.warn({ err: error }, "a host that doesn't list VMs could not be asked about them");
    return null;
  });
  if (answer === null) return;
  for (const cvm of missing) {
    const vm = answer.vms.find(({ id }) => id === cvm.host_vm_id);
    const inquiry = {
      process_runs: answer.running.has(cvm.host_vm_id ?? ''),
      refusal: answer.refusal,
      other_vms: answer.vms.filter(({ name }) => uuidOfVmName(name) === cvm.vm_uuid).length,
    };
    await attempt(worker, jobs, cvm, { vm, host: teepod.name, asked_at, inquiry }, worker.log);
  }
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
  reply?: { driver: VmmDriver; port_mapping: boolean },
): Promise<void> {
  const driver = reply?.driver;
  const capabilities = driver ? await driver.capabilities().catch(() => undefined) : undefined;
  await db
    .updateTable('teepods')
    .set({
      reachable,
      last_error,
      ...(reachable ? { last_seen_at: new Date() } : {}),
      ...(reachable !== teepod.reachable ? { reachable_since: reachable ? new Date() : null } : {}),
      ...(reply ? { port_mapping: reply.port_mapping } : {}),
      ...(capabilities ? { version: capabilities.version, warnings: capabilities.warnings } : {}),
    })
    .where('id', '=', teepod.id)
    // The address or credential has changed since: the old response says nothing about it.
    .where('url', '=', teepod.url)
    .where(sql<boolean>`sealed_credential is not distinct from ${teepod.sealed_credential}`)
    .execute();
}

/**
 * Images and gateway change rarely, so they are read when a host comes (back) online, and while it has no images: its image
 * folder may be mounted later. A host that doesn't answer this is compared all the same.
 */
async function syncIfDue({ db, log }: Repairer, driver: VmmDriver, teepod: TeepodRow): Promise<void> {
  if (teepod.reachable && (await hasImages(db, teepod.id))) return;
  await syncTeepod(db, driver, teepod).catch((error: unknown) =>
    log.warn({ err: error }, "a host's images and capacity could not be read yet"),
  );
}
