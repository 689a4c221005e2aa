import { sql } from 'kysely';
import type { Db } from '../../db/core/client';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { STORED_OF_HOST, type StoredOfHost } from '../../db/hosts/hosts';
import { ANSWERED, isDue, UNANSWERED } from '../../db/hosts/hostShards';
import { decide } from '../../domain/cvms/reconciliation';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import type { VmmDriver } from '../../drivers/vmm';
import { countDrift } from '../../domain/hosts/drift';
import { noteDuplicates } from '../hosts/duplicateVms';
import { releaseGivenUp } from '../hosts/givenUpVms';
import { keepHostEvents } from '../hosts/hostEvents';
import { hostRounds, type HostWork, type RoundRules } from '../hosts/hostRounds';
import { untilDone, type Tenure } from '../hosts/hostShards';
import type { JobQueue } from '../core/queue';
import { removeStrays } from '../hosts/strayVms';
import { syncTeepod } from '../hosts/syncTeepod';
import { inquire } from './inquire';
import { reconcileCvm, type Sighting, type Terms } from './reconcileCvm';
import type { Worker } from './runOperation';

/** Hosts whose state is compared concurrently. */
const HOSTS_AT_ONCE = 64;
/** How long a run waits for its hosts; slower ones finish on their own. */
const PATIENCE_MS = 5_000;
const ANSWER_MS = 15_000;

/**
 * Returns a run of the reconciler, which compares the desired state with every teepod's report and repairs
 * drift: a VM that should run is started, one that shouldn't is stopped, and leftovers of a deletion or a move
 * are removed. Only settled CVMs: a CVM with a live operation belongs to that operation.
 *
 * A round on a slow host may take minutes. It delays only that host's next round. Unresponsive hosts are
 * queried with backoff.
 */
export function reconciler(
  vmm: Worker['vmm'],
  jobs: JobQueue,
  work: HostWork,
  {
    limit_ms,
    patience_ms = PATIENCE_MS,
    billingEnforced,
  }: Pick<RoundRules, 'limit_ms'> & Terms & { patience_ms?: number },
): () => Promise<void> {
  const rules: RoundRules = {
    task: 'reconcile',
    which: isDue,
    at_once: HOSTS_AT_ONCE,
    limit_ms,
    patience_ms,
    failure: "couldn't reconcile a host",
  };
  const worker = { ...work, vmm, config: { billingEnforced } };
  return hostRounds(work, rules, (teepod, tenure) => reconcileTeepod(worker, jobs, teepod, tenure));
}

/**
 * Dependencies of a repair. Request handlers have them too, except for the counter of rounds that left
 * something out.
 */
export type Repairer = Pick<Worker, 'db' | 'vmm' | 'log'> & { config: Terms } & Partial<
    Pick<HostWork, 'cutShort'>
  >;

/**
 * Reconciles one host now, as every round does; an unresponsive one is recorded.
 * @param tenure ends when another worker may reconcile it
 */
export async function reconcileTeepod(
  worker: Repairer,
  jobs: JobQueue,
  teepod: TeepodRow,
  tenure: Tenure = untilDone(),
): Promise<void> {
  const log = worker.log.child({ teepod: teepod.name });
  let driver: VmmDriver;
  let page: Awaited<ReturnType<VmmDriver['status']>>;
  // Taken before the request: a CVM that changes while the host responds is left for the next round.
  const asked_at = new Date();
  try {
    driver = worker.vmm.get(teepod);
    const signal = AbortSignal.any([tenure.signal, AbortSignal.timeout(ANSWER_MS)]);
    page = await driver.status({ brief: true }, { signal });
  } catch (error) {
    tenure.check();
    await noteReachable(worker.db, teepod, false, error instanceof Error ? error.message : String(error));
    return;
  }
  // Each step may change the state of the host or the database.
  tenure.check();
  const { vms, port_mapping_enabled } = page;
  const stored = await noteReachable(worker.db, teepod, true, null, {
    driver,
    port_mapping: port_mapping_enabled,
  });
  // Read when a host comes (back) online, every few minutes, and while it has no images: its image folder may be
  // mounted later.
  if (!teepod.reachable || !stored.has_images || stored.facts_due)
    await sync({ ...worker, log }, driver, teepod);
  tenure.check();
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
  ).catch((error: unknown) => log.error({ err: error }, "couldn't store host events"));
  const missing: SeenCvm[] = [];
  for (const cvm of cvms) {
    tenure.check();
    const vm = cvm.host_vm_id === null ? undefined : byId.get(cvm.host_vm_id);
    const decision = decide(cvm, vm, asked_at);
    if (decision === 'inquire') missing.push(cvm);
    else if (decision !== 'none')
      await attempt(worker, jobs, cvm, { vm, host: teepod.name, asked_at, inquiry: null }, log);
  }
  if (missing.length > 0) await askAbout({ ...worker, log }, jobs, driver, teepod, missing, tenure);
  tenure.check();
  const used = new Set(cvms.flatMap(({ host_vm_id }) => host_vm_id ?? []));
  const { has_duplicates, has_given_up } = stored;
  let unchecked = await noteDuplicates(worker.db, driver, teepod, { vms, used, has_duplicates }).catch(
    (error: unknown) => {
      log.warn({ err: error }, "couldn't store duplicate VMs");
      return 0;
    },
  );
  tenure.check();
  if (has_given_up)
    await releaseGivenUp({ db: worker.db, log }, driver, teepod, vms).catch((error: unknown) =>
      log.warn({ err: error }, "couldn't release ports and GPUs of given-up VMs"),
    );
  tenure.check();
  const known = new Set(cvms.map(({ vm_uuid }) => vm_uuid));
  unchecked += await removeStrays({ ...worker, log }, driver, teepod, vms, known, asked_at, tenure).catch(
    (error: unknown) => {
      tenure.check();
      log.warn({ err: error }, "couldn't remove leftover VMs");
      return 0;
    },
  );
  if (unchecked === 0) return;
  log.warn({ left: unchecked }, 'the host lists more VMs than a round checks');
  worker.cutShort?.('reconcile', unchecked);
}

/** Read for every CVM of a host each round, so without large texts and ciphertext. */
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
  reconcileCvm(worker.db, jobs, cvm.id, cvm.status, seen, worker.config).catch((error: unknown) =>
    log.error({ err: error, cvm: cvm.public_id }, "couldn't reconcile a CVM"),
  );

/** Asks a host to reload its VMs before a CVM counts as lost. If it doesn't answer, nothing changes. */
async function askAbout(
  worker: Repairer,
  jobs: JobQueue,
  driver: VmmDriver,
  teepod: TeepodRow,
  missing: readonly SeenCvm[],
  tenure: Tenure,
): Promise<void> {
  const asked_at = new Date();
  const answer = await inquire(driver).catch((error: unknown) => {
    worker.log.warn({ err: error }, "couldn't query a host about the VMs it doesn't list");
    return null;
  });
  if (answer === null) return;
  for (const cvm of missing) {
    tenure.check();
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

/** @returns the host's stored state, so that most rounds need no query about it */
async function noteReachable(
  db: Db,
  teepod: TeepodRow,
  reachable: boolean,
  last_error: string | null,
  reply?: { driver: VmmDriver; port_mapping: boolean },
): Promise<StoredOfHost> {
  const driver = reply?.driver;
  const capabilities = driver ? await driver.capabilities().catch(() => undefined) : undefined;
  const noted = await db
    .updateTable('teepods')
    .set({
      reachable,
      last_error,
      ...(reachable ? { last_seen_at: new Date(), ...ANSWERED } : UNANSWERED),
      ...(reachable !== teepod.reachable ? { reachable_since: reachable ? new Date() : null } : {}),
      ...(reply ? { port_mapping: reply.port_mapping } : {}),
      ...(capabilities ? { version: capabilities.version, warnings: capabilities.warnings } : {}),
    })
    .where('id', '=', teepod.id)
    // The address or credential has changed since: the old response says nothing about it.
    .where('url', '=', teepod.url)
    .where(sql<boolean>`sealed_credential is not distinct from ${teepod.sealed_credential}`)
    .returning(STORED_OF_HOST)
    .executeTakeFirst();
  return noted ?? { has_images: true, has_duplicates: true, has_given_up: true, facts_due: false };
}

/** Reads images and gateway. A host that doesn't answer is still compared. */
async function sync({ db, log }: Repairer, driver: VmmDriver, teepod: TeepodRow): Promise<void> {
  await syncTeepod(db, driver, teepod).catch((error: unknown) =>
    log.warn({ err: error }, "couldn't read a host's images and capacity"),
  );
}
