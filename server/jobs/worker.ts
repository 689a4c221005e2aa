import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { Db } from '../db/client';
import { orphanedOperations, releaseLeases } from '../db/operations';
import type { Seal } from '../domain/seal';
import type { ChainDriver } from '../drivers/chain';
import type { ChatDriver } from '../drivers/chat';
import type { DnsDriver } from '../drivers/dns';
import type { KmsClients } from '../drivers/kms';
import type { MailDriver } from '../drivers/mail';
import type { Outbound } from '../drivers/net';
import type { VmmRegistry } from '../drivers/vmm';
import { createBulkRunner, type RunBulkRow } from './bulkJobs';
import { announce } from './announce';
import { watchAlerts } from './alerts';
import { createChatBot } from './chatBot';
import { createDomainChecker } from './checkDomains';
import { checkDueKms } from './checkKms';
import { createMetricsCollector } from './collectMetrics';
import { sweepDrains } from './drains';
import { beat } from './heartbeat';
import { housekeeping } from './housekeeping';
import { runMaintenance } from './maintenance';
import { tellEvents } from './notifyFeed';
import { mailNotifications } from './notifyMail';
import { watchHosts, watchTokens } from './notifyTroubles';
import type { MailOutbox } from './mailOutbox';
import type { JobRunner } from './queue';
import { reconcileAll } from './reconcile';
import { readDueContracts } from './readContracts';
import { sweepRollouts } from './rollouts';
import { runOperation, type Worker } from './runOperation';
import { runSchedule } from './schedule';
import { createScheduleRuns } from './scheduleRuns';
import { createMailSender } from './sendMail';
import { createWebhookSender } from './sendWebhook';
import { syncAllGpus } from './syncGpus';
import { isDeadWorker, newWorkerId } from './workerId';

export interface WorkerOptions {
  db: Db;
  dns: DnsDriver;
  jobs: JobRunner;
  vmm: VmmRegistry;
  kms: KmsClients;
  chain: ChainDriver;
  /** Null: no mail server is configured; mail is kept to be read. Closed by `stop`. */
  mail: MailDriver | null;
  /** Where the chat bot speaks; closed by whoever made it. */
  chat: { driver: ChatDriver; service: string };
  /** Where the server keeps its own files; its disk is watched. */
  dataDir: string;
  /** Where webhooks are sent through; closed by whoever made it. */
  webhookNet: Outbound;
  /** Where what people are told by mail is written. */
  outbox: MailOutbox;
  /** Origin people reach the server at. */
  publicUrl: string;
  seal: Seal;
  /** Does one row of a bulk job. */
  bulkRow: RunBulkRow;
  log: Logger;
  role: string;
  version: string;
  reconcileSeconds: number;
  metricsSeconds: number;
  /** Operations this process works on at once. */
  concurrency?: number;
}

export interface RunningWorker {
  /** Leaves running operations to other processes, or to the next start of this one. */
  stop(): Promise<void>;
}

/** The worker role of a process: works on operations and mail, sweeps for orphaned ones, reconciles, keeps house. */
export async function startWorker({
  db,
  dns,
  jobs,
  vmm,
  kms,
  chain,
  mail: driver,
  chat,
  dataDir,
  webhookNet,
  outbox,
  publicUrl,
  seal,
  bulkRow,
  log,
  role,
  version,
  reconcileSeconds,
  metricsSeconds,
  concurrency = 96,
}: WorkerOptions): Promise<RunningWorker> {
  const stopping = new AbortController();
  // One listener per running operation.
  setMaxListeners(concurrency * 2, stopping.signal);
  const worker: Worker = {
    db,
    vmm,
    log,
    id: newWorkerId(),
    stopping: stopping.signal,
  };
  const mail = createMailSender({ db, seal, driver, log, owner: worker.id });
  const metrics = createMetricsCollector({ db, vmm, log, owner: worker.id, seconds: metricsSeconds });
  const domains = createDomainChecker({ db, dns, log, owner: worker.id });
  const webhooks = createWebhookSender({ db, seal, net: webhookNet, log, owner: worker.id });
  const bulk = createBulkRunner({ db, log, owner: worker.id, run: bulkRow });
  const bot = createChatBot({ db, ...chat, seal, publicUrl, log, owner: worker.id });
  const running = new Map<string, { done: Promise<void>; teepod_id: number | null }>();

  // The job only wakes: the operation goes on here after the job is done, held by its own lease.
  const begin = (correlation_id: string, teepod_id: number | null) => {
    if (running.has(correlation_id) || running.size >= concurrency || stopping.signal.aborted) return;
    const one = { done: Promise.resolve(), teepod_id };
    running.set(correlation_id, one);
    one.done = runOperation(worker, correlation_id, (teepod_id) => (one.teepod_id = teepod_id))
      .catch((error: unknown) =>
        log.error({ err: error, correlation_id }, 'an operation could not be worked on; it is tried again'),
      )
      .finally(() => running.delete(correlation_id));
  };

  // A host that hangs keeps its operations waiting up to their deadlines, but not those of all the others.
  const perHost = Math.ceil(concurrency / 3);
  const onHost = (teepod_id: number) =>
    [...running.values()].filter((one) => one.teepod_id === teepod_id).length;
  const fullHosts = () =>
    [...new Set([...running.values()].flatMap((one) => one.teepod_id ?? []))].filter(
      (teepod_id) => onHost(teepod_id) >= perHost,
    );
  /** Of a woken operation the host is not known yet, so half the places are the sweep's, which knows it. */
  const wake = (correlation_id: string) => {
    if (running.size < concurrency / 2) begin(correlation_id, null);
  };

  const sweep = async () => {
    // What a killed process held goes on at once, when it was one of this machine; else when its lease runs out.
    await releaseLeases(db, (owner) => owner !== worker.id && isDeadWorker(owner));
    for (const { correlation_id, teepod_id } of await orphanedOperations(db, fullHosts()))
      if (onHost(teepod_id) < perHost) begin(correlation_id, teepod_id);
  };
  const schedules = createScheduleRuns(db, worker.id);
  const heartbeat = async () => {
    await beat(db, { id: worker.id, role, version });
    await schedules.flush();
  };
  const timers = [
    every(1_000, 'sweep', sweep),
    every(500, 'rollouts', () =>
      sweepRollouts({ db, jobs, vmm, log, owner: worker.id, stopping: stopping.signal }),
    ),
    every(500, 'drains', () => sweepDrains({ db, jobs, log, owner: worker.id, stopping: stopping.signal })),
    every(5_000, 'maintenance', () => runMaintenance(db)),
    every(500, 'bulk jobs', () => bulk.sweep()),
    every(1_000, 'mail', () => mail.sweep()),
    every(5_000, 'mail of notifications', () =>
      mailNotifications({ db, outbox, seal, public_url: publicUrl }),
    ),
    every(10_000, 'watching hosts', () => watchHosts(db)),
    every(30_000, 'GPUs', () => syncAllGpus({ db, vmm, log })),
    every(15_000, 'key management services', () => checkDueKms({ db, kms, log })),
    every(15_000, 'KMS contracts', () => readDueContracts({ db, chain, log })),
    every(600_000, 'watching API tokens', () => watchTokens(db)),
    every(500, 'telling of events', async () => {
      await tellEvents(db);
      await webhooks.sweep();
    }),
    every(1_000, 'schedule', () => runSchedule(db, jobs)),
    every(2_000, 'domains', () => domains.sweep()),
    every(2_000, 'announcements', () => announce(db)),
    every(15_000, 'alerts', () => watchAlerts({ db, dataDir })),
    every(1_000, 'chat bot', () => bot.listen()),
    every(1_000, 'chat messages', () => bot.send()),
    every(10_000, 'heartbeat', heartbeat),
    every(1_000, 'metrics', () => metrics.tick()),
    every(15_000, 'roll-up', () => metrics.rollUp()),
    every(reconcileSeconds * 1_000, 'reconcile', () => reconcileAll(worker, jobs)),
  ];

  function every(ms: number, name: string, work: () => Promise<void>) {
    let busy = false;
    const run = async () => {
      if (busy || stopping.signal.aborted) return;
      busy = true;
      const began = Date.now();
      const error = await failureOf(work);
      // What stopping cut short is done by who comes next.
      if (error !== null && !stopping.signal.aborted)
        log.error({ err: error }, `${name} failed; it is tried again`);
      schedules.ran({ name, every_ms: ms, began, error: error === null ? null : messageOf(error) });
      busy = false;
    };
    void run();
    return setInterval(() => void run(), ms);
  }

  await jobs.work({
    operation: async (correlation_id) => wake(correlation_id),
    mail: (id) => mail.wake(id),
    housekeeping: async () => {
      const began = Date.now();
      const error = await failureOf(() => housekeeping(db));
      schedules.ran({
        name: 'housekeeping',
        every_ms: 60_000,
        began,
        error: error === null ? null : messageOf(error),
      });
      if (error !== null) throw error;
    },
  });

  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
      stopping.abort();
      await Promise.allSettled([
        mail.stop(),
        bulk.stop(),
        webhooks.stop(),
        domains.stop(),
        bot.stop(),
        metrics.stop(),
        ...[...running.values()].map(({ done }) => done),
      ]);
      await db.deleteFrom('workers').where('id', '=', worker.id).execute();
    },
  };
}

/** Null when it went well. */
const failureOf = (work: () => Promise<void>): Promise<unknown> =>
  work().then(
    () => null,
    (error: unknown) => error ?? new Error('it failed without a reason'),
  );

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
