import { sql, type UpdateObject } from 'kysely';
import { prepared, type Db } from '../../db/core/client';
import type { Database } from '../../db/core/schema';
import type { CvmRow } from '../../db/cvms/cvmsTable';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { STORED_OF_HOST, type StoredOfHost } from '../../db/hosts/hosts';
import { ANSWERED, isDue, UNANSWERED } from '../../db/hosts/hostShards';
import { decide } from '../../domain/cvms/reconciliation';
import { uuidOfVmName } from '../../domain/cvms/vmName';
import type { VmInfo, VmmDriver } from '../../drivers/vmm';
import { countDrift } from '../../domain/hosts/drift';
import { noteDuplicates } from '../hosts/duplicateVms';
import { releaseGivenUp } from '../hosts/givenUpVms';
import { keepHostEvents } from '../hosts/hostEvents';
import { hostRounds, type HostWork, type RoundRules } from '../hosts/hostRounds';
import { untilDone, type Tenure } from '../hosts/hostShards';
import type { JobQueue } from '../core/queue';
import { removeStrays } from '../hosts/strayVms';
import { syncTeepod } from '../hosts/syncTeepod';
import { reloadHostVms } from './reloadVms';
import { reconcileCvm, type Sighting, type Terms } from './reconcileCvm';
import type { Worker } from './runOperation';

/** Hosts whose state is compared concurrently. */
const MAX_CONCURRENT_HOSTS = 64;
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
    max_concurrent: MAX_CONCURRENT_HOSTS,
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

/** One round on a host that answered. */
export interface HostRound extends Repairer {
  jobs: JobQueue;
  driver: VmmDriver;
  teepod: TeepodRow;
  tenure: Tenure;
  /** The VMs that the host lists. */
  vms: readonly VmInfo[];
  /** Taken before the request: a CVM that changes while the host responds is left for the next round. */
  asked_at: Date;
}

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
  const asked_at = new Date();
  try {
    driver = worker.vmm.get(teepod);
    const signal = AbortSignal.any([tenure.signal, AbortSignal.timeout(ANSWER_MS)]);
    page = await driver.status({ brief: true }, { signal });
  } catch (error) {
    tenure.check();
    await noteSilence(worker.db, teepod, error instanceof Error ? error.message : String(error));
    return;
  }
  // Each step may change the state of the host or the database.
  tenure.check();
  const round: HostRound = { ...worker, log, jobs, driver, teepod, tenure, vms: page.vms, asked_at };
  const { stored, seen } = await noteAnswer(round, page.port_mapping_enabled);
  // Read when a host comes (back) online, every few minutes, and while it has no images: its image folder may be
  // mounted later.
  const syncs = !teepod.reachable || !stored.has_images || stored.facts_due;
  if (syncs) await sync(round);
  tenure.check();
  const cvms = syncs || seen === null ? await cvmsOn(worker.db, teepod.id) : seen;
  await noteDrift(worker.db, teepod, countDrift(cvms, page.vms));
  await repairCvms(round, cvms);
  tenure.check();
  const unchecked = await handleOtherVms(round, cvms, stored);
  if (unchecked === 0) return;
  log.warn({ left: unchecked }, 'the host lists more VMs than a round checks');
  worker.cutShort?.('reconcile', unchecked);
}

/** Stores what the host reports about its CVMs' VMs and repairs those that differ. */
async function repairCvms(round: HostRound, cvms: readonly SeenCvm[]): Promise<void> {
  const { db, log, teepod, tenure, asked_at } = round;
  const byId = new Map(round.vms.map((vm) => [vm.id, vm]));
  const vmOf = ({ host_vm_id }: SeenCvm) => (host_vm_id === null ? undefined : byId.get(host_vm_id));
  const seen = cvms.flatMap((cvm) => {
    const vm = vmOf(cvm);
    return vm ? [{ cvm_id: cvm.id, vm }] : [];
  });
  await keepHostEvents(db, teepod.id, seen).catch((error: unknown) =>
    log.error({ err: error }, "couldn't store host events"),
  );
  const missing: SeenCvm[] = [];
  for (const cvm of cvms) {
    tenure.check();
    const vm = vmOf(cvm);
    const decision = decide(cvm, vm, asked_at);
    if (decision === 'inquire') missing.push(cvm);
    else if (decision !== 'none') await repair(round, cvm, { vm, asked_at, inquiry: null });
  }
  if (missing.length > 0) await inquireAbout(round, missing);
}

/**
 * Handles the VMs that no CVM of this host uses: stores duplicates, releases what given-up ones hold, and removes
 * leftovers. @returns how many VMs it didn't check
 */
async function handleOtherVms(
  round: HostRound,
  cvms: readonly SeenCvm[],
  stored: StoredOfHost,
): Promise<number> {
  const { db, log, driver, teepod, tenure, vms } = round;
  const used = new Set(cvms.flatMap(({ host_vm_id }) => host_vm_id ?? []));
  const { has_duplicates, has_given_up } = stored;
  const duplicates = await noteDuplicates(db, driver, teepod, { vms, used, has_duplicates }).catch(
    (error: unknown) => {
      log.warn({ err: error }, "couldn't store duplicate VMs");
      return 0;
    },
  );
  tenure.check();
  if (has_given_up)
    await releaseGivenUp(round).catch((error: unknown) =>
      log.warn({ err: error }, "couldn't release ports and GPUs of given-up VMs"),
    );
  tenure.check();
  const known = new Set(cvms.map(({ vm_uuid }) => vm_uuid));
  const strays = await removeStrays(round, known).catch((error: unknown) => {
    tenure.check();
    log.warn({ err: error }, "couldn't remove leftover VMs");
    return 0;
  });
  return duplicates + strays;
}

/** Read for every CVM of a host each round, so without large texts and ciphertext. */
const SEEN = [
  'cvms.id',
  'cvms.public_id',
  'cvms.vm_uuid',
  'cvms.host_vm_id',
  'cvms.instance_id',
  'cvms.status',
  'cvms.desired',
  'cvms.boot_progress',
  'cvms.missing_since',
  'cvms.purge_at',
  'cvms.updated_at',
] as const;
type SeenCvm = Pick<CvmRow, Unqualified<(typeof SEEN)[number]>>;
type Unqualified<T> = T extends `cvms.${infer Column extends keyof CvmRow}` ? Column : never;

/** CVMs in the recycle bin are on the host too, and must stay stopped. */
const isOnHost = sql<boolean>`(cvms.deleted_at is null or cvms.purge_at is not null)`;

const cvmsOn = (db: Db, teepod_id: number): Promise<SeenCvm[]> =>
  db
    .selectFrom('cvms')
    .select(SEEN)
    .where('teepod_id', '=', teepod_id)
    .where(isOnHost)
    .modifyEnd(prepared)
    .execute();

async function repair(round: HostRound, cvm: SeenCvm, seen: Omit<Sighting, 'host'>): Promise<void> {
  const { db, jobs, log, teepod, config } = round;
  await reconcileCvm({ db, jobs, terms: config }, cvm, { ...seen, host: teepod.name }).catch(
    (error: unknown) => log.error({ err: error, cvm: cvm.public_id }, "couldn't reconcile a CVM"),
  );
}

/** Asks a host to reload its VMs before a CVM counts as lost. If it doesn't answer, nothing changes. */
async function inquireAbout(round: HostRound, missing: readonly SeenCvm[]): Promise<void> {
  const asked_at = new Date();
  const answer = await reloadHostVms(round.driver).catch((error: unknown) => {
    round.log.warn({ err: error }, "couldn't query a host about the VMs it doesn't list");
    return null;
  });
  if (answer === null) return;
  for (const cvm of missing) {
    round.tenure.check();
    const vm = answer.vms.find(({ id }) => id === cvm.host_vm_id);
    const inquiry = {
      process_runs: answer.running.has(cvm.host_vm_id ?? ''),
      refusal: answer.refusal,
      other_vms: answer.vms.filter(({ name }) => uuidOfVmName(name) === cvm.vm_uuid).length,
    };
    await repair(round, cvm, { vm, asked_at, inquiry });
  }
}

async function noteDrift(db: Db, teepod: TeepodRow, drift: number): Promise<void> {
  if (drift !== teepod.drift)
    await db.updateTable('teepods').set({ drift }).where('id', '=', teepod.id).execute();
}

async function noteSilence(db: Db, teepod: TeepodRow, last_error: string): Promise<void> {
  await reachable(db, teepod, {
    reachable: false,
    last_error,
    ...UNANSWERED,
    ...(teepod.reachable ? { reachable_since: null } : {}),
  })
    .modifyEnd(prepared)
    .execute();
}

/**
 * @returns the host's stored state, and its CVMs unless the address or credential has changed: most rounds need nothing
 * more, so this is one statement
 */
async function noteAnswer(
  { db, driver, teepod }: HostRound,
  port_mapping: boolean,
): Promise<{ stored: StoredOfHost; seen: SeenCvm[] | null }> {
  const capabilities = await driver.capabilities().catch(() => undefined);
  const change = {
    reachable: true,
    last_error: null,
    last_seen_at: new Date(),
    ...ANSWERED,
    ...(teepod.reachable ? {} : { reachable_since: new Date() }),
    port_mapping,
    ...(capabilities ? { version: capabilities.version, warnings: capabilities.warnings } : {}),
  };
  const rows = await db
    .with('noted', () =>
      reachable(db, teepod, change).returning([...STORED_OF_HOST, 'teepods.id as host_id'] as const),
    )
    .selectFrom('noted')
    .leftJoin('cvms', (join) => join.onRef('cvms.teepod_id', '=', 'noted.host_id').on(isOnHost))
    .select(SEEN)
    .select(['noted.has_images', 'noted.has_duplicates', 'noted.has_given_up', 'noted.facts_due'])
    .modifyEnd(prepared)
    .execute();
  const [first] = rows;
  if (!first)
    return {
      stored: { has_images: true, has_duplicates: true, has_given_up: true, facts_due: false },
      seen: null,
    };
  // Without CVMs, the only row has none.
  return { stored: first, seen: rows.filter(({ id }) => id !== null) as SeenCvm[] };
}

/** Changes nothing if the address or credential has changed since: the old response says nothing about it. */
const reachable = (db: Db, teepod: TeepodRow, change: UpdateObject<Database, 'teepods'>) =>
  db
    .updateTable('teepods')
    .set(change)
    .where('id', '=', teepod.id)
    .where('url', '=', teepod.url)
    .where(sql<boolean>`sealed_credential is not distinct from ${teepod.sealed_credential}`);

/** Reads images and gateway. A host that doesn't answer is still compared. */
async function sync({ db, log, driver, teepod }: HostRound): Promise<void> {
  await syncTeepod(db, driver, teepod).catch((error: unknown) =>
    log.warn({ err: error }, "couldn't read a host's images and capacity"),
  );
}
