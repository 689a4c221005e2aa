import type { TemplateNoticesTable, TemplateVersionsTable } from '../catalog/templateVersionsTable';
import type { OperatorTemplatesTable } from '../catalog/operatorTemplates';
import type { TeamTemplatesTable } from '../catalog/teamTemplates';
import type { SizeWaitsTable } from '../hosts/waits/sizeWaits';
import type { AiE2eeNoncesTable } from '../ai/e2eeNonces';
import type {
  AiHoldsTable,
  AiKeyDaysTable,
  AiKeyMinutesTable,
  AiKeysTable,
  AiMetersTable,
  AiModelsTable,
  AiRequestsTable,
  AiCatalogTable,
  AiConsultsTable,
  AiGatewaysTable,
  AiUpstreamHoursTable,
  AiUpstreamsTable,
  AiUsageLinesTable,
} from '../ai/aiTables';
import type { BudgetsTable, BudgetStopsTable } from '../billing/budgetsTables';
import type {
  OrderProductsTable,
  OrderRefundsTable,
  OrdersTable,
  OrderTermsTable,
} from '../billing/orders/ordersTables';
import type { DebtsTable, DebtStopsTable } from '../billing/debts';
import type { LowBalancesTable } from '../billing/notices/lowBalances';
import type { EInvoicesTable } from '../billing/eInvoices/eInvoicesTable';
import type {
  BillingDetailsTable,
  InvoiceDocumentsTable,
  InvoiceRenderFailuresTable,
  InvoiceLinesTable,
  InvoiceSeriesTable,
  InvoicesTable,
} from '../billing/invoicesTables';
import type { BalanceHoldsTable } from '../billing/holds';
import type {
  UsdcAddressesTable,
  UsdcDepositsTable,
  UsdcGapsTable,
  UsdcNetworksTable,
  UsdcUnreadTable,
} from '../billing/usdc/depositsTables';
import type {
  CreditGrantsTable,
  LedgerBalancesTable,
  LedgerEntriesTable,
  LedgerHeadsTable,
  LedgerTransactionsTable,
  UsageLinesTable,
  UsageDaysTable,
  UsageMetersTable,
} from '../billing/ledgerTables';
import type {
  LedgerChecksTable,
  PaymentReceiptsTable,
  CardRefundsTable,
  PaymentsTable,
  StripeCustomersTable,
  StripeEventsTable,
  AutoTopUpsTable,
  TeamCardsTable,
  PromotionCodesTable,
  PromotionRedemptionsTable,
} from '../billing/paymentsTables';
import type { BreakGlassLinksTable } from '../accounts/breakGlassLinksTable';
import type { DeviceAuthorizationsTable } from '../accounts/deviceAuthorizationsTable';
import type { EmailChangesTable } from '../accounts/emailChangesTable';
import type { GuessesTable } from '../accounts/guessesTable';
import type { MailLinksTable } from '../accounts/mailLinksTable';
import type { PasskeyChallengesTable } from '../accounts/passkeyChallengesTable';
import type { PasskeysTable } from '../accounts/passkeysTable';
import type { PendingSignInsTable } from '../accounts/pendingSignInsTable';
import type { RecoveryCodesTable } from '../accounts/recoveryCodesTable';
import type { SessionsTable } from '../accounts/sessionsTable';
import type { SignInDevicesTable } from '../accounts/signInDevicesTable';
import type { SshKeysTable } from '../accounts/sshKeysTable';
import type { AccountWalletsTable, UsedWalletMessagesTable } from '../accounts/wallets';
import type { StaffIdentitiesTable } from '../accounts/staffIdentitiesTable';
import type { StaffReadsTable } from '../accounts/staffReadsTable';
import type { TotpCredentialsTable } from '../accounts/totpCredentialsTable';
import type { UsersTable } from '../accounts/usersTable';
import type { ViewAsTable } from '../accounts/viewAsTable';
import type { EventsTable } from '../activity/eventsTable';
import type { OperationsTable } from '../activity/operationsTable';
import type { AnnouncementDismissalsTable } from '../announcements/announcementDismissalsTable';
import type { AnnouncementsTable } from '../announcements/announcementsTable';
import type { AnnouncementWorkspacesTable } from '../announcements/announcementWorkspacesTable';
import type { AppsTable } from '../apps/appsTable';
import type { ApprovalsTable } from '../apps/approvalsTable';
import type { ComposeDraftsTable } from '../apps/composeDraftsTable';
import type { ProvisionsTable } from '../apps/provisionsTable';
import type { RevisionsTable } from '../apps/revisionsTable';
import type { RolloutItemsTable } from '../apps/rolloutItemsTable';
import type { RolloutsTable } from '../apps/rolloutsTable';
import type { CollateralTable } from '../attestation/collateralTable';
import type { EvidenceTable } from '../attestation/evidenceTable';
import type { AuditChecksTable } from '../audit/auditChecksTable';
import type { AuditDestinationsTable } from '../audit/auditDestinationsTable';
import type { AuditHeadsTable } from '../audit/auditHeadsTable';
import type { AuditLogTable } from '../audit/auditLogTable';
import type { InstanceTypesTable } from '../catalog/instanceTypesTable';
import type { OsImagesTable } from '../catalog/osImagesTable';
import type { TeepodOsImagesTable } from '../catalog/teepodOsImagesTable';
import type { IdempotencyKeysTable } from './idempotencyKeysTable';
import type { CvmsTable } from '../cvms/cvmsTable';
import type { CvmStateChangesTable } from '../cvms/cvmStateChangesTable';
import type { DrainCvmsTable } from '../hosts/drainCvmsTable';
import type { DrainsTable } from '../hosts/drainsTable';
import type { HostShardsTable } from '../hosts/hostShardsTable';
import type { ChainChecksTable } from '../kms/chainChecks';
import type { ContractEventsTable, ContractIndexesTable } from '../kms/contractIndexTables';
import type { TeepodKmsTable } from '../hosts/teepodKmsTable';
import type { DuplicateVmsTable } from '../hosts/duplicateVms';
import type { BillingSettingsTable } from '../billing/billingSettings';
import type { FinanceActionsTable } from '../billing/financeActions';
import type { AbuseReportsTable } from '../public/abuseReports';
import type { ExplorerAppsTable } from '../public/explorerApps';
import type { PublishedRevisionsTable } from '../public/publicApps';
import type { AppWatchesTable, StoppedWatchesTable } from '../public/appWatches';
import type { GpuEventsTable } from '../hosts/gpuEventsTable';
import type { GivenUpVmsTable } from '../cvms/givenUpVmsTable';
import type { GpusTable } from '../hosts/gpusTable';
import type { MaintenanceNoticesTable } from '../hosts/maintenanceNoticesTable';
import type { MaintenanceWindowsTable } from '../hosts/maintenanceWindowsTable';
import type { GatewaysTable } from '../hosts/gatewaysTable';
import type { NodesTable } from '../hosts/nodesTable';
import type { ReservationsTable } from '../hosts/reservationsTable';
import type { TeepodsTable } from '../hosts/teepodsTable';
import type { TeepodTeamsTable } from '../hosts/teepodTeamsTable';
import type { KmsContractsTable } from '../kms/kmsContractsTable';
import type { KmsTable } from '../kms/kmsTable';
import type { KmsBootDecisionsTable } from '../kms/kmsBootDecisionsTable';
import type { KmsTokensTable } from '../kms/kmsTokensTable';
import type { CvmMetricRollupsTable } from '../metrics/cvmMetricRollupsTable';
import type { CvmMetricSamplesTable } from '../metrics/cvmMetricSamplesTable';
import type { CvmMetricStateTable } from '../metrics/cvmMetricStateTable';
import type { MetricProgressTable } from '../metrics/metricProgressTable';
import type { MetricRoundsTable } from '../metrics/metricRoundsTable';
import type { DomainsTable } from '../network/domainsTable';
import type { HostTroublesTable } from '../notifications/hostTroublesTable';
import type { NotificationPreferencesTable } from '../notifications/notificationPreferencesTable';
import type { NotificationSettingsTable } from '../notifications/notificationSettingsTable';
import type { NotificationsTable } from '../notifications/notificationsTable';
import type { OutboxTable } from '../notifications/outboxTable';
import type { AdminBulkJobRowsTable } from '../platform/adminBulkJobRowsTable';
import type { AdminBulkJobsTable } from '../platform/adminBulkJobsTable';
import type { AdminViewsTable } from '../platform/adminViewsTable';
import type { AlertsTable } from '../platform/alertsTable';
import type { ChatBotsTable } from '../platform/chatBotsTable';
import type { ChatCodesTable } from '../platform/chatCodesTable';
import type { ChatMessagesTable } from '../platform/chatMessagesTable';
import type { ChatsTable } from '../platform/chatsTable';
import type { MonitoringEventsTable } from '../platform/monitoringEventsTable';
import type { PlatformSettingsTable } from '../platform/platformSettings';
import type { PeriodicLeasesTable } from '../platform/periodicLeasesTable';
import type { RetentionNoticesTable } from '../platform/retentionNoticesTable';
import type { ScheduleRunsTable } from '../platform/scheduleRunsTable';
import type { WorkersTable } from '../platform/workersTable';
import type { ApiTokensTable } from '../teams/apiTokensTable';
import type { InvitationsTable } from '../teams/invitationsTable';
import type { MembershipsTable } from '../teams/membershipsTable';
import type { ScimTokensTable, ScimUsersTable } from '../teams/scimTables';
import type { SsoConnectionsTable } from '../teams/ssoConnectionsTable';
import type { SsoIdentitiesTable } from '../teams/ssoIdentitiesTable';
import type { SsoLinkRequestsTable } from '../teams/ssoLinkRequestsTable';
import type { SsoSignInsTable } from '../teams/ssoSignInsTable';
import type { TeamFormerSlugsTable } from '../teams/teamFormerSlugsTable';
import type { TeamsTable } from '../teams/teamsTable';
import type { SecretCopiesTable } from '../vault/secretCopiesTable';
import type { VaultLocksTable } from '../vault/vaultLocksTable';
import type { VaultsTable } from '../vault/vaultsTable';
import type { EventFeedTable } from '../webhooks/eventFeedTable';
import type { WebhookDeliveriesTable } from '../webhooks/webhookDeliveriesTable';
import type { WebhooksTable } from '../webhooks/webhooksTable';

/** Every table of the database as Kysely sees it. The columns of a table are declared beside its queries. */
export interface Database {
  ai_e2ee_nonces: AiE2eeNoncesTable;
  ai_holds: AiHoldsTable;
  gpu_waits: SizeWaitsTable;
  operator_templates: OperatorTemplatesTable;
  team_templates: TeamTemplatesTable;
  template_versions: TemplateVersionsTable;
  template_notices: TemplateNoticesTable;
  ai_key_days: AiKeyDaysTable;
  ai_key_minutes: AiKeyMinutesTable;
  ai_keys: AiKeysTable;
  ai_meters: AiMetersTable;
  ai_models: AiModelsTable;
  ai_requests: AiRequestsTable;
  ai_upstreams: AiUpstreamsTable;
  ai_upstream_hours: AiUpstreamHoursTable;
  ai_gateways: AiGatewaysTable;
  ai_consults: AiConsultsTable;
  ai_catalog: AiCatalogTable;
  ai_usage_lines: AiUsageLinesTable;
  users: UsersTable;
  teams: TeamsTable;
  memberships: MembershipsTable;
  api_tokens: ApiTokensTable;
  device_authorizations: DeviceAuthorizationsTable;
  ssh_keys: SshKeysTable;
  account_wallets: AccountWalletsTable;
  used_wallet_messages: UsedWalletMessagesTable;
  kms: KmsTable;
  kms_tokens: KmsTokensTable;
  kms_boot_decisions: KmsBootDecisionsTable;
  gateways: GatewaysTable;
  nodes: NodesTable;
  teepods: TeepodsTable;
  teepod_teams: TeepodTeamsTable;
  teepod_kms: TeepodKmsTable;
  os_images: OsImagesTable;
  teepod_os_images: TeepodOsImagesTable;
  instance_types: InstanceTypesTable;
  apps: AppsTable;
  revisions: RevisionsTable;
  provisions: ProvisionsTable;
  cvms: CvmsTable;
  reservations: ReservationsTable;
  operations: OperationsTable;
  events: EventsTable;
  cvm_state_changes: CvmStateChangesTable;
  idempotency_keys: IdempotencyKeysTable;
  monitoring_events: MonitoringEventsTable;
  workers: WorkersTable;
  guesses: GuessesTable;
  sign_in_devices: SignInDevicesTable;
  sessions: SessionsTable;
  pending_sign_ins: PendingSignInsTable;
  totp_credentials: TotpCredentialsTable;
  passkeys: PasskeysTable;
  passkey_challenges: PasskeyChallengesTable;
  recovery_codes: RecoveryCodesTable;
  mail_links: MailLinksTable;
  email_changes: EmailChangesTable;
  invitations: InvitationsTable;
  team_former_slugs: TeamFormerSlugsTable;
  view_as: ViewAsTable;
  staff_reads: StaffReadsTable;
  audit_checks: AuditChecksTable;
  announcements: AnnouncementsTable;
  announcement_workspaces: AnnouncementWorkspacesTable;
  announcement_dismissals: AnnouncementDismissalsTable;
  rollouts: RolloutsTable;
  rollout_items: RolloutItemsTable;
  collateral: CollateralTable;
  evidence: EvidenceTable;
  audit_log: AuditLogTable;
  audit_heads: AuditHeadsTable;
  audit_destinations: AuditDestinationsTable;
  approvals: ApprovalsTable;
  compose_drafts: ComposeDraftsTable;
  drains: DrainsTable;
  drain_cvms: DrainCvmsTable;
  maintenance_notices: MaintenanceNoticesTable;
  maintenance_windows: MaintenanceWindowsTable;
  gpus: GpusTable;
  gpu_events: GpuEventsTable;
  given_up_vms: GivenUpVmsTable;
  duplicate_vms: DuplicateVmsTable;
  abuse_reports: AbuseReportsTable;
  app_watches: AppWatchesTable;
  stopped_watches: StoppedWatchesTable;
  explorer_apps: ExplorerAppsTable;
  published_revisions: PublishedRevisionsTable;
  billing_settings: BillingSettingsTable;
  finance_actions: FinanceActionsTable;
  chain_checks: ChainChecksTable;
  contract_indexes: ContractIndexesTable;
  contract_events: ContractEventsTable;
  kms_contracts: KmsContractsTable;
  cvm_metric_samples: CvmMetricSamplesTable;
  cvm_metric_rollups: CvmMetricRollupsTable;
  cvm_metric_state: CvmMetricStateTable;
  metric_rounds: MetricRoundsTable;
  metric_progress: MetricProgressTable;
  domains: DomainsTable;
  notifications: NotificationsTable;
  notification_preferences: NotificationPreferencesTable;
  notification_settings: NotificationSettingsTable;
  host_troubles: HostTroublesTable;
  host_shards: HostShardsTable;
  outbox: OutboxTable;
  admin_views: AdminViewsTable;
  admin_bulk_jobs: AdminBulkJobsTable;
  admin_bulk_job_rows: AdminBulkJobRowsTable;
  alerts: AlertsTable;
  chat_bots: ChatBotsTable;
  chat_codes: ChatCodesTable;
  chats: ChatsTable;
  chat_messages: ChatMessagesTable;
  platform_settings: PlatformSettingsTable;
  periodic_leases: PeriodicLeasesTable;
  retention_notices: RetentionNoticesTable;
  schedule_runs: ScheduleRunsTable;
  scim_tokens: ScimTokensTable;
  scim_users: ScimUsersTable;
  sso_connections: SsoConnectionsTable;
  sso_identities: SsoIdentitiesTable;
  sso_sign_ins: SsoSignInsTable;
  staff_identities: StaffIdentitiesTable;
  break_glass_links: BreakGlassLinksTable;
  sso_link_requests: SsoLinkRequestsTable;
  vaults: VaultsTable;
  vault_locks: VaultLocksTable;
  secret_copies: SecretCopiesTable;
  event_feed: EventFeedTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  ledger_transactions: LedgerTransactionsTable;
  ledger_entries: LedgerEntriesTable;
  ledger_balances: LedgerBalancesTable;
  ledger_heads: LedgerHeadsTable;
  credit_grants: CreditGrantsTable;
  usage_days: UsageDaysTable;
  usage_meters: UsageMetersTable;
  balance_holds: BalanceHoldsTable;
  budgets: BudgetsTable;
  budget_stops: BudgetStopsTable;
  order_products: OrderProductsTable;
  orders: OrdersTable;
  order_terms: OrderTermsTable;
  order_refunds: OrderRefundsTable;
  debts: DebtsTable;
  debt_stops: DebtStopsTable;
  invoice_lines: InvoiceLinesTable;
  invoice_series: InvoiceSeriesTable;
  invoices: InvoicesTable;
  invoice_documents: InvoiceDocumentsTable;
  e_invoices: EInvoicesTable;
  invoice_render_failures: InvoiceRenderFailuresTable;
  billing_details: BillingDetailsTable;
  usage_lines: UsageLinesTable;
  payments: PaymentsTable;
  usdc_addresses: UsdcAddressesTable;
  usdc_networks: UsdcNetworksTable;
  usdc_deposits: UsdcDepositsTable;
  usdc_gaps: UsdcGapsTable;
  usdc_unread: UsdcUnreadTable;
  stripe_customers: StripeCustomersTable;
  stripe_events: StripeEventsTable;
  team_cards: TeamCardsTable;
  auto_top_ups: AutoTopUpsTable;
  low_balances: LowBalancesTable;
  payment_receipts: PaymentReceiptsTable;
  card_refunds: CardRefundsTable;
  promotion_codes: PromotionCodesTable;
  promotion_redemptions: PromotionRedemptionsTable;
  ledger_checks: LedgerChecksTable;
}
