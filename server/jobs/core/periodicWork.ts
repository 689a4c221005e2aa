import { keepEventPartitions } from '../../db/activity/eventPartitions';
import { dueWork, type DueWork } from '../../db/platform/dueWork';
import type { Seal } from '../../domain/core/seal';
import type { CollateralDriver } from '../../drivers/collateral';
import type { ComposeAnalyzer } from '../../drivers/compose';
import type { DnsDriver } from '../../drivers/dns';
import type { KmsClients } from '../../drivers/kms';
import type { Templates } from '../../db/catalog/offeredTemplates';
import type { VmmRegistry } from '../../drivers/vmm';
import type { AiServers } from '../../drivers/ai';
import type { Outbound } from '../../drivers/net';
import { checkDueAiUpstreams } from '../ai/checkUpstreams';
import { billingWork, type BillingServices } from '../billing/periodicBilling';
import type { AuditExporter } from '../audit/exportAudit';
import { watchAlerts } from '../platform/alerts';
import { announce } from '../announcements/announce';
import type { BulkRunner } from '../platform/bulkJobs';
import type { ChatBot } from '../platform/chatBot';
import type { DomainChecker } from '../network/checkDomains';
import { checkChains } from '../kms/checkChains';
import type { ContractFollower } from '../kms/followContracts';
import { indexDueContracts } from '../kms/indexContracts';
import { auditRepeats } from '../../db/kms/bootDecisions';
import { checkDueKms } from '../kms/checkKms';
import type { MetricsCollector } from '../metrics/collectMetrics';
import { sweepDrains } from '../hosts/drains';
import { createDueWork } from './dueWork';
import { housekeepingTurn } from './housekeeping';
import type { MailOutbox } from '../notifications/mailOutbox';
import type { HostWork } from '../hosts/hostRounds';
import { HOST_REFRESH_MS } from '../hosts/hostShards';
import { learnImageHashes } from '../hosts/learnImageHashes';
import { runMaintenance } from '../hosts/maintenance';
import { sendMaintenanceNotices } from '../hosts/maintenanceNotices';
import { fanOutEvents } from '../notifications/notifyFeed';
import { mailNotifications } from '../notifications/notifyMail';
import { watchHosts, watchTokens } from '../notifications/notifyTroubles';
import type { JobRunner } from './queue';
import { readDueContracts } from '../kms/readContracts';
import { reconciler } from '../cvms/reconcile';
import { announceTemplates } from '../apps/announceTemplates';
import { sweepRollouts } from '../apps/rollouts';
import type { Worker } from '../cvms/runOperation';
import { sendWatchWebhooks } from '../public/sendWatchWebhooks';
import { notifyWatchers } from '../public/notifyWatchers';
import { runSchedule } from '../cvms/schedule';
import type { MailSender } from '../notifications/sendMail';
import type { WebhookSender } from '../webhooks/sendWebhook';
import { recheckSsoDomains } from '../teams/ssoDomains';
import { offerRoom } from '../hosts/offerRoom';
import { gpuSync } from '../hosts/syncGpus';
import { MORE, type PeriodicScope, type PeriodicTask } from './periodic';

/** What the server gives its workers for periodic work. */
export interface PeriodicServices extends BillingServices {
  jobs: JobRunner;
  seal: Seal;
  /** Mail is queued here. */
  outbox: MailOutbox;
  vmm: VmmRegistry;
  kms: KmsClients;
  dns: DnsDriver;
  /** Null without PCCS_URL. The caller closes it. */
  collateral: CollateralDriver | null;
  ai: AiServers;
  compose: ComposeAnalyzer;
  templates: Templates;
  /** Directory of the server's own files; its free space is monitored. */
  dataDir: string;
  /** Public origin of the server. */
  publicUrl: string;
  reconcileSeconds: number;
  visitorNet: Outbound;
  /** Returns this server's own verification result for a published app. */
  checkPublicApp: (app_id: string) => Promise<string>;
}

/** The same, with what the worker created for itself. */
interface PeriodicParts extends PeriodicServices {
  worker: Worker;
  /** Starts operations that have no worker. */
  sweepOperations: () => Promise<void>;
  heartbeat: () => Promise<void>;
  mail: MailSender;
  hostWork: HostWork;
  metrics: MetricsCollector;
  domains: DomainChecker;
  webhooks: WebhookSender;
  audit: AuditExporter;
  bulk: BulkRunner;
  bot: ChatBot;
  follower: ContractFollower;
}

const GPU_MS = 30_000;
/** A round over the hosts may take this long even if its period is shorter. */
const MIN_LIMIT_MS = 5_000;

const task = (
  id: string,
  name: string,
  period_ms: number,
  scope: PeriodicScope,
  run: PeriodicTask['run'],
): PeriodicTask => ({ id, name, period_ms, scope, run });

/** Returns everything the workers run periodically. */
export function periodicWork(parts: PeriodicParts): PeriodicTask[] {
  const { worker, db, jobs, log, seal, outbox, ai, vmm, kms, dns, chain, collateral, compose } = parts;
  const { dataDir, publicUrl, debtDays, mail, metrics, domains, webhooks, bulk, bot, hostWork } = parts;
  const { hosts } = hostWork;
  const leased = { db, jobs, log, owner: worker.id, stopping: worker.stopping };
  const reconcile_ms = parts.reconcileSeconds * 1_000;
  const isDue = createDueWork(() => dueWork(db));
  /** Skips a run when nothing is due. */
  const when = (kinds: readonly (keyof DueWork)[], run: () => Promise<unknown>) => async () =>
    (await isDue(...kinds)) ? run() : undefined;
  const fanOutAndSend = async () => {
    // Deliveries alone don't take the feed's lock. Events create deliveries.
    if (await isDue('events')) await fanOutEvents(db, publicUrl);
    await webhooks.sweep();
  };
  // Each run has a bounded number of queries and leaves the rest to the next one, which starts immediately after MORE.
  return [
    task('sweep', 'Operations', 1_000, 'shard', when(['operations'], parts.sweepOperations)),
    task(
      'rollouts',
      'Rollouts',
      500,
      'shard',
      when(['rollouts'], () =>
        sweepRollouts({ ...leased, vmm, collateral, compose, fundsRequired: debtDays !== null }),
      ),
    ),
    task(
      'drains',
      'Drains',
      500,
      'shard',
      when(['drains'], () => sweepDrains(leased)),
    ),
    task(
      'bulk_jobs',
      'Bulk jobs',
      500,
      'shard',
      when(['bulk_jobs'], () => bulk.sweep()),
    ),
    task(
      'telling_of_events',
      'Event fan-out',
      500,
      'shard',
      when(['events', 'webhook_deliveries', 'webhooks'], fanOutAndSend),
    ),
    task(
      'audit_export',
      'Audit export',
      1_000,
      'shard',
      when(['audit_destinations'], () => parts.audit.sweep()),
    ),
    task(
      'mail',
      'Mail',
      1_000,
      'shard',
      when(['mail'], () => mail.sweep()),
    ),
    task(
      'chat_bot',
      'Chat bot',
      1_000,
      'shard',
      when(['chat_bots'], () => bot.listen()),
    ),
    task(
      'chat_messages',
      'Chat messages',
      1_000,
      'shard',
      when(['chat_messages'], () => bot.send()),
    ),
    task(
      'schedule',
      'Scheduled CVM changes',
      1_000,
      'shard',
      when(['scheduled_stops', 'scheduled_deletions', 'recycled_cvms'], () => runSchedule(db, jobs)),
    ),
    task('metrics', 'Metrics', 1_000, 'shard', () => metrics.tick()),
    task(
      'domains',
      'Domain checks',
      2_000,
      'shard',
      when(['domains'], () => domains.sweep()),
    ),
    task('key_management_services', 'KMS checks', 15_000, 'shard', () => checkDueKms({ db, kms, log })),
    task('kms_contracts', 'KMS contracts', 15_000, 'shard', () => readDueContracts({ db, chain, log })),
    task('contract_events', 'Contract events', 15_000, 'shard', () => indexDueContracts({ db, chain, log })),
    task('announced_events', 'Announced events', 10_000, 'installation', () => parts.follower.refresh()),
    task('ai_upstreams', 'AI upstream checks', 10_000, 'shard', () =>
      checkDueAiUpstreams({ db, seal, ai, log, stopping: worker.stopping }),
    ),
    task('kms_decisions', 'KMS decisions', 60_000, 'installation', () => auditRepeats(db)),
    task('chains', 'Network checks', 300_000, 'installation', () => checkChains({ db, chain, log })),
    task('single_sign_on_domains', 'Single sign-on domains', 60_000, 'shard', () =>
      recheckSsoDomains({ db, dns, outbox, log }),
    ),
    // Each process also monitors its own disk.
    task('alerts', 'Alerts', 15_000, 'process', () => watchAlerts({ db, dataDir })),
    task('host_shards', 'Host shards', HOST_REFRESH_MS, 'process', () => hosts.refresh()),
    task('heartbeat', 'Heartbeat', 10_000, 'process', parts.heartbeat),
    task('announcements', 'Announcements', 2_000, 'installation', () => announce(db)),
    task('maintenance', 'Maintenance windows', 5_000, 'installation', () => runMaintenance(db)),
    task(
      'maintenance_notices',
      'Maintenance notifications',
      2_000,
      'installation',
      async () => (await sendMaintenanceNotices(db)) && MORE,
    ),
    task('mail_of_notifications', 'Notification mail', 5_000, 'installation', () =>
      mailNotifications({ db, outbox, seal, public_url: publicUrl }),
    ),
    task('watched_apps', 'Watcher mail', 15_000, 'installation', () =>
      notifyWatchers({ db, outbox, seal, log, public_url: publicUrl, check: parts.checkPublicApp }),
    ),
    task('watching_webhooks', 'Watcher webhooks', 2_000, 'installation', () =>
      sendWatchWebhooks({ db, seal, net: parts.visitorNet, log, signal: worker.stopping }),
    ),
    task('watching_hosts', 'Host checks', 10_000, 'installation', () => watchHosts(db)),
    task('roll_up', 'Metric rollups', 15_000, 'installation', () => metrics.rollUp()),
    task('os_image_hashes', 'OS image hashes', 300_000, 'shard', () =>
      learnImageHashes({ db, vmm, log, collateral, hosts }),
    ),
    task('gpus', 'GPU checks', GPU_MS, 'shard', gpuSync(vmm, hostWork, GPU_MS)),
    task('template_versions', 'Newer template versions', 60_000, 'installation', () =>
      announceTemplates({ db, templates: parts.templates }),
    ),
    task('gpu_waits', 'Offers of free capacity', 15_000, 'installation', () =>
      offerRoom({ db, outbox, billingEnforced: debtDays !== null }),
    ),
    ...billingWork(parts),
    task('housekeeping', 'Housekeeping', 60_000, 'installation', () => housekeepingTurn(db)),
    task('event_partitions', 'Event partitions', 60_000, 'installation', async () => {
      const step = await keepEventPartitions(db);
      if (step !== 'none') log.info({ step }, 'event partitions changed');
    }),
    task('watching_api_tokens', 'API token checks', 600_000, 'installation', () => watchTokens(db)),
    task(
      'reconcile',
      'Reconciliation',
      reconcile_ms,
      'shard',
      reconciler(vmm, jobs, hostWork, {
        limit_ms: Math.max(reconcile_ms, MIN_LIMIT_MS),
        billingEnforced: debtDays !== null,
      }),
    ),
  ];
}
