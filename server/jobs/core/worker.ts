import { setMaxListeners } from 'node:events';
import type { Invoicing } from '../../db/billing/issueInvoice';
import type { DebtDays } from '../../domain/billing/debt';
import type { Logger } from 'pino';
import type { Db } from '../../db/core/client';
import { operationLeases, orphanedOperations } from '../../db/activity/operations';
import type { Seal } from '../../domain/core/seal';
import type { AiServers } from '../../drivers/ai';
import type { ChainDriver } from '../../drivers/chain';
import type { ChatDriver } from '../../drivers/chat';
import type { CollateralDriver } from '../../drivers/collateral';
import type { UsdcNetwork } from '../../domain/billing/usdc/network';
import type { CardPayments } from '../../drivers/payments';
import type { ComposeAnalyzer } from '../../drivers/compose';
import type { DnsDriver } from '../../drivers/dns';
import type { KmsClients } from '../../drivers/kms';
import type { MailDriver } from '../../drivers/mail';
import type { Outbound } from '../../drivers/net';
import type { Tracing } from '../../drivers/tracing';
import type { Templates } from '../../db/catalog/offeredTemplates';
import type { VmmRegistry } from '../../drivers/vmm';
import type { AuditOutlets } from '../audit/deliverEntries';
import { createAuditExporter } from '../audit/exportAudit';
import { createBulkRunner, type RunBulkRow } from '../platform/bulkJobs';
import { createChatBot } from '../platform/chatBot';
import type { LogLevelFollower } from '../platform/followLogLevel';
import { createInstallationLeases } from './installationLeases';
import { startPeriodic } from './periodic';
import { periodicWork } from './periodicWork';
import { createContractFollower } from '../kms/followContracts';
import { createDomainChecker } from '../network/checkDomains';
import { createHostShards } from '../hosts/hostShards';
import { createMetricsCollector } from '../metrics/collectMetrics';
import { beat, forgetProcess } from './heartbeat';
import type { MailOutbox } from '../notifications/mailOutbox';
import type { JobRunner } from './queue';
import { runOperation, type Worker } from '../cvms/runOperation';
import { createScheduleRuns } from './scheduleRuns';
import { createMailSender } from '../notifications/sendMail';
import { createWebhookSender } from '../webhooks/sendWebhook';
import { deadExcept, isDeadWorker, newWorkerId } from './workerId';

export interface WorkerOptions {
  db: Db;
  dns: DnsDriver;
  jobs: JobRunner;
  vmm: VmmRegistry;
  kms: KmsClients;
  /** Null without PCCS_URL. The caller closes it. */
  collateral: CollateralDriver | null;
  compose: ComposeAnalyzer;
  templates: Templates;
  chain: ChainDriver;
  /** Null: no mail server is configured; mail is kept for reading. `stop` closes it. */
  mail: MailDriver | null;
  /** The chat bot's service. The caller closes the driver. */
  chat: { driver: ChatDriver; service: string };
  /** Directory of the server's own files; its free space is monitored. */
  dataDir: string;
  ai: AiServers;
  /** Outbound connections of webhooks. The caller closes it. */
  webhookNet: Outbound;
  visitorNet: Outbound;
  /** Outlets for the audit log. The caller closes them. */
  auditOutlets: Pick<AuditOutlets, 'net' | 'syslog'>;
  /** Notification mails are queued here. */
  outbox: MailOutbox;
  /** Public origin of the server. */
  publicUrl: string;
  /** Null while billing is not enforced. */
  debtDays: DebtDays | null;
  invoicing: Invoicing;
  /** Null if the server takes no cards. */
  cards: CardPayments | null;
  /** Networks watched for USDC deposits; none if the server takes no USDC. */
  usdcNetworks: readonly UsdcNetwork[];
  seal: Seal;
  /** Returns this server's own verification result for a published app. */
  checkPublicApp: (app_id: string) => Promise<string>;
  /** Processes one row of a bulk job. */
  bulkRow: RunBulkRow;
  log: Logger;
  /** Null without tracing. The caller stops it. */
  tracing: Tracing | null;
  role: string;
  version: string;
  reconcileSeconds: number;
  metricsSeconds: number;
  logLevel: LogLevelFollower;
  /** Operations this process runs concurrently. */
  concurrency?: number;
}

export interface RunningWorker {
  /** Leaves running operations to other processes, or to the next start of this one. */
  stop(): Promise<void>;
}

/**
 * Starts a process's worker role: runs operations and mail, sweeps for orphaned ones, reconciles, and runs
 * housekeeping.
 */
export async function startWorker({
  db,
  dns,
  jobs,
  vmm,
  kms,
  collateral,
  compose,
  templates,
  chain,
  mail: driver,
  chat,
  dataDir,
  ai,
  webhookNet,
  visitorNet,
  auditOutlets,
  outbox,
  publicUrl,
  debtDays,
  invoicing,
  cards,
  usdcNetworks,
  seal,
  checkPublicApp,
  bulkRow,
  log,
  tracing,
  role,
  version,
  reconcileSeconds,
  metricsSeconds,
  logLevel,
  concurrency = 96,
}: WorkerOptions): Promise<RunningWorker> {
  const stopping = new AbortController();
  // One listener per running operation.
  setMaxListeners(concurrency * 2, stopping.signal);
  const worker: Worker = {
    db,
    vmm,
    chain,
    log,
    tracing,
    id: newWorkerId(),
    stopping: stopping.signal,
  };
  const mail = createMailSender({ db, seal, driver, log, owner: worker.id });
  const schedules = createScheduleRuns(db, worker.id);
  const hosts = createHostShards({
    db,
    me: { id: worker.id, role, version },
    isDead: deadExcept(worker.id),
  });
  const hostWork = {
    db,
    log,
    hosts,
    cutShort: (task: string, left: number) => schedules.cutShort(task, left),
  };
  const metrics = createMetricsCollector({ ...hostWork, vmm, owner: worker.id, seconds: metricsSeconds });
  const domains = createDomainChecker({ db, dns, log, owner: worker.id });
  const webhooks = createWebhookSender({ db, seal, net: webhookNet, log, owner: worker.id });
  const audit = createAuditExporter({ ...auditOutlets, db, seal, publicUrl, log, owner: worker.id });
  const bulk = createBulkRunner({ db, log, owner: worker.id, run: bulkRow });
  const bot = createChatBot({ db, ...chat, seal, publicUrl, log, owner: worker.id });
  const follower = createContractFollower({ db, chain, log });
  const running = new Map<string, { done: Promise<void>; teepod_id: number | null }>();

  // A job is only a wake-up: the operation continues here under its own lease after the job is done.
  const begin = (correlation_id: string, teepod_id: number | null): boolean => {
    if (running.has(correlation_id)) return true;
    if (running.size >= concurrency || stopping.signal.aborted) return false;
    const one = { done: Promise.resolve(), teepod_id };
    running.set(correlation_id, one);
    one.done = runOperation(worker, correlation_id, (teepod_id) => (one.teepod_id = teepod_id))
      .catch((error: unknown) =>
        log.error({ err: error, correlation_id }, 'failed to process an operation; retrying'),
      )
      .finally(() => running.delete(correlation_id));
    return true;
  };

  // A hanging host delays its own operations up to their deadlines, but not those of other hosts.
  const perHost = Math.ceil(concurrency / 3);
  const onHost = (teepod_id: number) =>
    [...running.values()].filter((one) => one.teepod_id === teepod_id).length;
  const fullHosts = () =>
    [...new Set([...running.values()].flatMap((one) => one.teepod_id ?? []))].filter(
      (teepod_id) => onHost(teepod_id) >= perHost,
    );
  /**
   * The host of a woken operation is not known yet, so half the slots belong to the sweep, which knows it.
   */
  const wake = (correlation_id: string): boolean =>
    running.size < concurrency / 2 && begin(correlation_id, null);

  const sweep = async () => {
    // Operations of a process killed on this machine resume immediately; others resume when their lease
    // expires.
    await operationLeases.releaseHeldBy(db, deadExcept(worker.id));
    for (const { correlation_id, teepod_id } of await orphanedOperations(db, fullHosts()))
      if (onHost(teepod_id) < perHost) begin(correlation_id, teepod_id);
  };
  const heartbeat = async () => {
    await logLevel.read(() => beat(db, { id: worker.id, role, version }));
    await schedules.flush();
  };
  const tasks = periodicWork({
    worker,
    db,
    jobs,
    log,
    seal,
    outbox,
    vmm,
    kms,
    dns,
    chain,
    collateral,
    compose,
    templates,
    ai,
    dataDir,
    publicUrl,
    debtDays,
    invoicing,
    cards,
    usdcNetworks,
    reconcileSeconds,
    sweepOperations: sweep,
    heartbeat,
    mail,
    hostWork,
    metrics,
    domains,
    webhooks,
    visitorNet,
    audit,
    bulk,
    bot,
    follower,
    checkPublicApp,
  });
  const leases = createInstallationLeases({
    db,
    owner: worker.id,
    names: tasks.filter(({ scope }) => scope === 'installation').map(({ id }) => id),
    isDead: isDeadWorker,
  });
  const periodic = startPeriodic({ tasks, leases, log, ran: (run) => schedules.ran(run) });

  jobs.work(worker.id, {
    operation: wake,
    mail: (id) => mail.wake(id),
  });

  return {
    async stop() {
      stopping.abort();
      await Promise.allSettled([
        periodic.stop(),
        hosts.stop(),
        mail.stop(),
        bulk.stop(),
        webhooks.stop(),
        audit.stop(),
        domains.stop(),
        bot.stop(),
        follower.stop(),
        metrics.stop(),
        ...[...running.values()].map(({ done }) => done),
      ]);
      await forgetProcess(db, worker.id);
    },
  };
}
