import type { Logger } from 'pino';
import type { Db } from '../../db/core/client';
import { keepEventPartitions } from '../../db/activity/eventPartitions';
import { dueWork, type DueWork } from '../../db/platform/dueWork';
import type { Invoicing } from '../../db/billing/issueInvoice';
import { debtDaysNow } from '../../db/billing/billingSettings';
import type { DebtDays } from '../../domain/billing/debt';
import type { Seal } from '../../domain/core/seal';
import type { ChainDriver } from '../../drivers/chain';
import type { CollateralDriver } from '../../drivers/collateral';
import type { CardPayments } from '../../drivers/payments';
import type { ComposeAnalyzer } from '../../drivers/compose';
import type { DnsDriver } from '../../drivers/dns';
import type { KmsClients } from '../../drivers/kms';
import type { Templates } from '../../db/catalog/offeredTemplates';
import type { VmmRegistry } from '../../drivers/vmm';
import type { AiServers } from '../../drivers/ai';
import type { Outbound } from '../../drivers/net';
import { checkDueAiUpstreams } from '../ai/checkUpstreams';
import type { AuditExporter } from '../audit/exportAudit';
import { watchAlerts } from '../platform/alerts';
import { runAutoTopUps } from '../billing/autoTopUp';
import { checkWaitingPayments, closePages, handleCardEvents } from '../billing/cardEvents';
import { removeCards } from '../billing/removeCards';
import { resumeRefunds } from '../billing/resumeRefunds';
import { closeMonths } from '../billing/closeMonth';
import { closeAiUsage } from '../billing/closeAiUsage';
import { closeUsage } from '../billing/closeUsage';
import { watchDebts } from '../billing/debts';
import { warnOfExpiringCards, watchBalances } from '../billing/warnPayers';
import { watchBudgets } from '../billing/watchBudgets';
import { watchOrders } from '../billing/watchOrders';
import { watchUsdc } from '../billing/usdcDeposits';
import type { UsdcNetwork } from '../../domain/billing/usdc/network';
import { tellExpired } from '../../db/notifications/financeNotices';
import { expireCredits } from '../billing/expireCredits';
import { checkBooksDaily } from '../billing/nightlyCheck';
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
import { tellEvents } from '../notifications/notifyFeed';
import { mailNotifications } from '../notifications/notifyMail';
import { watchHosts, watchTokens } from '../notifications/notifyTroubles';
import type { JobRunner } from './queue';
import { readDueContracts } from '../kms/readContracts';
import { reconciler } from '../cvms/reconcile';
import { announceTemplates } from '../apps/announceTemplates';
import { sweepRollouts } from '../apps/rollouts';
import type { Worker } from '../cvms/runOperation';
import { sendWatchWebhooks } from '../public/sendWatchWebhooks';
import { tellWatchers } from '../public/tellWatchers';
import { runSchedule } from '../cvms/schedule';
import type { MailSender } from '../notifications/sendMail';
import type { WebhookSender } from '../webhooks/sendWebhook';
import { recheckSsoDomains } from '../teams/ssoDomains';
import { notifyGpuWaiters } from '../hosts/notifyGpuWaiters';
import { gpuSync } from '../hosts/syncGpus';
import { MORE, type PeriodicScope, type PeriodicTask } from './periodic';

/** What the server gives its workers for periodic work. */
export interface PeriodicServices {
  db: Db;
  jobs: JobRunner;
  log: Logger;
  seal: Seal;
  /** Mail is queued here. */
  outbox: MailOutbox;
  vmm: VmmRegistry;
  kms: KmsClients;
  dns: DnsDriver;
  chain: ChainDriver;
  /** Null without PCCS_URL. The caller closes it. */
  collateral: CollateralDriver | null;
  ai: AiServers;
  compose: ComposeAnalyzer;
  templates: Templates;
  /** Directory of the server's own files; its free space is monitored. */
  dataDir: string;
  /** Public origin of the server. */
  publicUrl: string;
  /** Null while billing is not enforced. */
  debtDays: DebtDays | null;
  invoicing: Invoicing;
  /** Null if the server takes no cards. */
  cards: CardPayments | null;
  /** Networks watched for USDC deposits; none if the server takes no USDC. */
  usdcNetworks: readonly UsdcNetwork[];
  reconcileSeconds: number;
  visitorNet: Outbound;
  /** Returns this server's own verification result for a published app. */
  checkPublicApp: (app_id: string) => Promise<string>;
}

/** The same with what the worker made of it. */
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

/** Returns everything the workers run periodically. */
export function periodicWork(parts: PeriodicParts): PeriodicTask[] {
  const { worker, db, jobs, log, seal, outbox, ai, vmm, kms, dns, chain, collateral, compose } = parts;
  const { dataDir, publicUrl, debtDays, invoicing, cards, mail, metrics, domains, webhooks, bulk, bot } =
    parts;
  const { hostWork } = parts;
  const { hosts } = hostWork;
  const leased = { db, jobs, log, owner: worker.id, stopping: worker.stopping };
  const reconcile_ms = parts.reconcileSeconds * 1_000;
  const isDue = createDueWork(() => dueWork(db));
  /** Skips a run when nothing is due. */
  const when = (kinds: readonly (keyof DueWork)[], run: () => Promise<unknown>) => async () =>
    (await isDue(...kinds)) ? run() : undefined;
  const tellAndSend = async () => {
    // Deliveries alone don't take the feed's lock. Events create deliveries.
    if (await isDue('events')) await tellEvents(db, publicUrl);
    await webhooks.sweep();
  };
  // Each run has a bounded number of queries and leaves the rest to the next one, which starts immediately after MORE.
  const table: [
    id: string,
    name: string,
    period_ms: number,
    scope: PeriodicScope,
    run: () => Promise<unknown>,
  ][] = [
    ['sweep', 'Operations', 1_000, 'shard', when(['operations'], parts.sweepOperations)],
    [
      'rollouts',
      'Rollouts',
      500,
      'shard',
      when(['rollouts'], () =>
        sweepRollouts({ ...leased, vmm, collateral, compose, fundsRequired: debtDays !== null }),
      ),
    ],
    ['drains', 'Drains', 500, 'shard', when(['drains'], () => sweepDrains(leased))],
    ['bulk_jobs', 'Bulk jobs', 500, 'shard', when(['bulk_jobs'], () => bulk.sweep())],
    [
      'telling_of_events',
      'Event fan-out',
      500,
      'shard',
      when(['events', 'webhook_deliveries', 'webhooks'], tellAndSend),
    ],
    ['audit_export', 'Audit export', 1_000, 'shard', when(['audit_destinations'], () => parts.audit.sweep())],
    ['mail', 'Mail', 1_000, 'shard', when(['mail'], () => mail.sweep())],
    ['chat_bot', 'Chat bot', 1_000, 'shard', when(['chat_bots'], () => bot.listen())],
    ['chat_messages', 'Chat messages', 1_000, 'shard', when(['chat_messages'], () => bot.send())],
    [
      'schedule',
      'Scheduled CVM changes',
      1_000,
      'shard',
      when(['scheduled_stops', 'scheduled_deletions', 'recycled_cvms'], () => runSchedule(db, jobs)),
    ],
    ['metrics', 'Metrics', 1_000, 'shard', () => metrics.tick()],
    ['domains', 'Domain checks', 2_000, 'shard', when(['domains'], () => domains.sweep())],
    ['key_management_services', 'KMS checks', 15_000, 'shard', () => checkDueKms({ db, kms, log })],
    ['kms_contracts', 'KMS contracts', 15_000, 'shard', () => readDueContracts({ db, chain, log })],
    ['contract_events', 'Contract events', 15_000, 'shard', () => indexDueContracts({ db, chain, log })],
    ['announced_events', 'Announced events', 10_000, 'installation', () => parts.follower.refresh()],
    ['ai_upstreams', 'AI upstream checks', 10_000, 'shard', () => checkDueAiUpstreams({ db, seal, ai, log })],
    ['kms_decisions', 'KMS decisions', 60_000, 'installation', () => auditRepeats(db)],
    ['chains', 'Network checks', 300_000, 'installation', () => checkChains({ db, chain, log })],
    [
      'single_sign_on_domains',
      'Single sign-on domains',
      60_000,
      'shard',
      () => recheckSsoDomains({ db, dns, outbox, log }),
    ],
    // Each process also monitors its own disk.
    ['alerts', 'Alerts', 15_000, 'process', () => watchAlerts({ db, dataDir })],
    ['host_shards', 'Host shards', HOST_REFRESH_MS, 'process', () => hosts.refresh()],
    ['heartbeat', 'Heartbeat', 10_000, 'process', parts.heartbeat],
    ['announcements', 'Announcements', 2_000, 'installation', () => announce(db)],
    ['maintenance', 'Maintenance windows', 5_000, 'installation', () => runMaintenance(db)],
    [
      'maintenance_notices',
      'Maintenance notifications',
      2_000,
      'installation',
      async () => (await sendMaintenanceNotices(db)) && MORE,
    ],
    [
      'mail_of_notifications',
      'Notification mail',
      5_000,
      'installation',
      () => mailNotifications({ db, outbox, seal, public_url: publicUrl }),
    ],
    [
      'watched_apps',
      'Watcher mail',
      15_000,
      'installation',
      () => tellWatchers({ db, outbox, seal, log, public_url: publicUrl, check: parts.checkPublicApp }),
    ],
    [
      'watching_webhooks',
      'Watcher webhooks',
      2_000,
      'installation',
      () => sendWatchWebhooks({ db, seal, net: parts.visitorNet, log, signal: worker.stopping }),
    ],
    ['watching_hosts', 'Host checks', 10_000, 'installation', () => watchHosts(db)],
    ['roll_up', 'Metric rollups', 15_000, 'installation', () => metrics.rollUp()],
    [
      'os_image_hashes',
      'OS image hashes',
      300_000,
      'shard',
      () => learnImageHashes({ db, vmm, log, collateral, hosts }),
    ],
    ['gpus', 'GPU checks', GPU_MS, 'shard', gpuSync(vmm, hostWork, GPU_MS)],
    [
      'template_versions',
      'Newer template versions',
      60_000,
      'installation',
      () => announceTemplates({ db, templates: parts.templates }),
    ],
    ['gpu_waits', 'Mail about free GPUs', 15_000, 'installation', () => notifyGpuWaiters({ db, outbox })],
    [
      'usage',
      'Usage posting',
      30_000,
      'installation',
      async () => {
        await closeUsage({ db, log, now: new Date() });
        await closeAiUsage({ db, log, now: new Date() });
        await expireCredits({ db, log, now: new Date() });
        await tellExpired(db, new Date());
      },
    ],
    [
      'card_events',
      'Card payments',
      1_000,
      'installation',
      async () => cards && (await handleCardEvents({ db, cards, log })) && MORE,
    ],
    [
      'card_lookups',
      'Card payment lookups',
      60_000,
      'installation',
      async () => {
        if (!cards) return;
        await closePages({ db, cards, log });
        await removeCards({ db, cards, log, now: new Date() });
        const more = [
          await checkWaitingPayments({ db, cards, log }),
          await resumeRefunds({ db, cards, log }, new Date()),
        ];
        return more.includes(true) && MORE;
      },
    ],
    [
      'usdc_deposits',
      'USDC deposits',
      15_000,
      'installation',
      () => watchUsdc({ db, chain, networks: parts.usdcNetworks, log }),
    ],
    [
      'automatic_payments',
      'Automatic payments',
      30_000,
      'installation',
      async () => {
        if (cards) await runAutoTopUps({ db, cards, log, now: new Date() });
      },
    ],
    [
      'debts',
      'Debts',
      30_000,
      'installation',
      async () => {
        if (!debtDays) return;
        await watchDebts({ db, jobs, log, now: new Date(), days: await debtDaysNow(db, debtDays) });
      },
    ],
    [
      'low_balances',
      'Low balances',
      300_000,
      'installation',
      async () => {
        // While billing isn't enforced, nothing stops, however low a balance is.
        if (debtDays) await watchBalances({ db, log, now: new Date(), takesCards: cards !== null });
      },
    ],
    [
      'expiring_cards',
      'Expiring cards',
      600_000,
      'installation',
      async () => {
        if (cards) await warnOfExpiringCards({ db, now: new Date() });
      },
    ],
    ['orders', 'Orders', 5_000, 'installation', () => watchOrders({ db, log, now: new Date() })],
    ['budgets', 'Budgets', 60_000, 'installation', () => watchBudgets({ db, jobs, log, now: new Date() })],
    [
      'invoices',
      'Invoices',
      60_000,
      'installation',
      () => closeMonths({ db, log, now: new Date(), invoicing }),
    ],
    [
      'ledger_check',
      'Ledger check',
      600_000,
      'installation',
      () => checkBooksDaily({ db, log, now: new Date() }),
    ],
    ['housekeeping', 'Housekeeping', 60_000, 'installation', () => housekeepingTurn(db)],
    [
      'event_partitions',
      'Event partitions',
      60_000,
      'installation',
      async () => {
        const step = await keepEventPartitions(db);
        if (step !== 'none') log.info({ step }, 'event partitions changed');
      },
    ],
    ['watching_api_tokens', 'API token checks', 600_000, 'installation', () => watchTokens(db)],
    [
      'reconcile',
      'Reconciliation',
      reconcile_ms,
      'shard',
      reconciler(vmm, jobs, hostWork, {
        limit_ms: Math.max(reconcile_ms, MIN_LIMIT_MS),
        billingEnforced: debtDays !== null,
      }),
    ],
  ];
  return table.map(([id, name, period_ms, scope, run]) => ({ id, name, period_ms, scope, run }));
}
