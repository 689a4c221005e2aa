import { setMaxListeners } from 'node:events';
import type { ChatDriver } from '../../drivers/chat';
import type { MailDriver } from '../../drivers/mail';
import type { Outbound } from '../../drivers/net';
import type { Tracing } from '../../drivers/tracing';
import type { AuditOutlets } from '../audit/deliverEntries';
import { createAuditExporter } from '../audit/exportAudit';
import { createOperationSlots } from '../cvms/operationSlots';
import type { Worker } from '../cvms/runOperation';
import { createHostShards } from '../hosts/hostShards';
import { createContractFollower } from '../kms/followContracts';
import { createMetricsCollector } from '../metrics/collectMetrics';
import { createDomainChecker } from '../network/checkDomains';
import { createMailSender } from '../notifications/sendMail';
import { createBulkRunner, type RunBulkRow } from '../platform/bulkJobs';
import { createChatBot } from '../platform/chatBot';
import type { LogLevelFollower } from '../platform/followLogLevel';
import { createWebhookSender } from '../webhooks/sendWebhook';
import { beat, forgetProcess } from './heartbeat';
import { createInstallationLeases } from './installationLeases';
import { startPeriodic } from './periodic';
import { periodicWork, type PeriodicServices } from './periodicWork';
import { createScheduleRuns } from './scheduleRuns';
import { deadExcept, isDeadWorker, newWorkerId } from './workerId';

export interface WorkerOptions extends PeriodicServices {
  /** Null: no mail server is configured; mail is kept for reading. `stop` closes it. */
  mailDriver: MailDriver | null;
  /** The chat bot's service. The caller closes the driver. */
  chatBot: { driver: ChatDriver; service: string };
  /** Outbound connections of webhooks. The caller closes it. */
  webhookNet: Outbound;
  /** Outlets for the audit log. The caller closes them. */
  auditOutlets: Pick<AuditOutlets, 'net' | 'syslog'>;
  /** Processes one row of a bulk job. */
  bulkRow: RunBulkRow;
  /** Null without tracing. The caller stops it. */
  tracing: Tracing | null;
  role: string;
  version: string;
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
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { db, log, seal, vmm, chain, dns, publicUrl, tracing, role, version, concurrency = 96 } = options;
  const id = newWorkerId();
  const stopping = new AbortController();
  // One listener per running operation.
  setMaxListeners(concurrency * 2, stopping.signal);
  const worker: Worker = { db, vmm, chain, log, tracing, id, stopping: stopping.signal };
  const operations = createOperationSlots(worker, concurrency);
  const schedules = createScheduleRuns(db, id);
  const hosts = createHostShards({ db, me: { id, role, version }, isDead: deadExcept(id) });
  const hostWork = {
    db,
    log,
    hosts,
    cutShort: (task: string, left: number) => schedules.cutShort(task, left),
  };
  const leased = { db, log, owner: id };
  const mail = createMailSender({ ...leased, seal, driver: options.mailDriver });
  const metrics = createMetricsCollector({ ...hostWork, vmm, owner: id, seconds: options.metricsSeconds });
  const domains = createDomainChecker({ ...leased, dns });
  const webhooks = createWebhookSender({ ...leased, seal, net: options.webhookNet });
  const audit = createAuditExporter({ ...leased, ...options.auditOutlets, seal, publicUrl });
  const bulk = createBulkRunner({ ...leased, run: options.bulkRow });
  const bot = createChatBot({ ...leased, ...options.chatBot, seal, publicUrl });
  const follower = createContractFollower({ db, chain, log });
  const heartbeat = async () => {
    await options.logLevel.read(() => beat(db, { id, role, version }));
    await schedules.flush();
  };
  const tasks = periodicWork({
    ...options,
    worker,
    sweepOperations: () => operations.sweep(),
    heartbeat,
    mail,
    hostWork,
    metrics,
    domains,
    webhooks,
    audit,
    bulk,
    bot,
    follower,
  });
  const leases = createInstallationLeases({
    db,
    owner: id,
    names: tasks.filter(({ scope }) => scope === 'installation').map((task) => task.id),
    isDead: isDeadWorker,
  });
  const periodic = startPeriodic({ tasks, leases, log, ran: (run) => schedules.ran(run) });

  options.jobs.work(id, {
    operation: (correlation_id) => operations.wake(correlation_id),
    mail: (mail_id) => mail.wake(mail_id),
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
        operations.idle(),
      ]);
      await forgetProcess(db, id);
    },
  };
}
