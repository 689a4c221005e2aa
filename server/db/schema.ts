import type { CvmDesired, CvmStatus, OperationState, OperationType } from '../domain/cvmStates';
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely';
import type { AnnouncementTables } from './schemaAnnouncements';
import type { ChatTables } from './schemaChat';
import type { GuessingTables } from './schemaGuessing';
import type { AdminListTables } from './schemaAdminLists';
import type { AuditTables } from './schemaAudit';
import type { DomainTables } from './schemaDomains';
import type { EvidenceTables, KmsCaColumns } from './schemaEvidence';
import type { FleetCvmColumns, FleetImageColumns, FleetTables, FleetTeepodColumns } from './schemaFleet';
import type { GpuCountColumn, GpuTables, KmsHealthColumns } from './schemaGpus';
import type { MetricTables } from './schemaMetrics';
import type { NotificationTables } from './schemaNotifications';
import type { OutboxTables } from './schemaOutbox';
import type { CvmSettingsColumns, CvmSettingsTables, GithubKeyColumns } from './schemaCvmSettings';
import type { PeopleTables } from './schemaPeople';
import type { QueueTables } from './schemaQueues';
import type { RolloutTables } from './schemaRollouts';
import type { SsoTables } from './schemaSso';
import type { StaffTables } from './schemaStaff';
import type { VaultTables } from './schemaVault';
import type { WebhookTables } from './schemaWebhooks';

/** The columns of every table, as kysely sees them: one interface per `create table` of the migrations. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** One published port of a CVM and where it answers. */
export interface Endpoint {
  port: number;
  protocol: 'tcp' | 'udp';
  app: string;
  instance: string;
}

/** What an operation needs beyond the CVM row to run again after a crash. Holds ciphertext, never clear text. */
export interface OperationPayload {
  /** The revision to put live once the host has it. */
  revision_id?: number;
  /** New sealed environment, hex. */
  encrypted_env?: string;
  vcpu?: number;
  memory_mb?: number;
  disk_gb?: number;
  os_image?: string;
  instance_type?: string | null;
  hourly_rate_micros?: number;
  public_logs?: boolean;
  public_sysinfo?: boolean;
  public_tcbinfo?: boolean;
  force?: boolean;
  user_config?: string;
  /** Of a deletion: stop it and keep it, instead of destroying it. */
  recycle?: boolean;
  /** What the host had before, to go back to. */
  previous_user_config?: string;
  /** Seconds a graceful shutdown may take before the plug is pulled. */
  shutdown_timeout?: number;
  /** false: fail rather than pull the plug. */
  allow_force_stop?: boolean;
  /** What to go back to when the change fails. */
  previous?: { status: string; desired: string };
  /** Why, in the words of the person who asked. */
  reason?: string;
  /** Public id of the rollout it is part of. */
  rollout_id?: string;
  /** Of a move: where it goes, and what the CVM is on the host it comes from. */
  to_teepod_id?: number;
  from?: { teepod_id: number; host_vm_id: string | null; instance_id: string | null };
}

/** An image as the guest names it after a boot; `image_id` is empty when it does not tell. */
export interface ResolvedImage {
  name: string;
  image: string;
  image_id: string;
  /** RFC 3339 */
  at: string;
}

export interface OperationStep {
  name: string;
  state: 'running' | 'done' | 'failed';
  started_at: string;
  finished_at?: string;
  detail?: string;
}

export interface UsersTable {
  id: GeneratedAlways<number>;
  public_id: string;
  email: string;
  username: string;
  avatar: Generated<string>;
  password_hash: string | null;
  platform_role: 'support' | 'finance' | 'infra' | 'admin' | null;
  state: Generated<'active' | 'suspended' | 'deleted'>;
  email_verified_at: Date | null;
  second_factor_at: Date | null;
  password_changed_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface TeamsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  slug: string;
  name: string;
  tier: Generated<string>;
  wallet_address: string;
  next_nonce: Generated<number>;
  max_cvms: Generated<number>;
  max_vcpu: Generated<number>;
  max_memory_mb: Generated<number>;
  max_disk_gb: Generated<number>;
  require_second_factor: Generated<boolean>;
  deleted_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface MembershipsTable {
  team_id: number;
  user_id: number;
  role: 'viewer' | 'member' | 'billing' | 'admin' | 'owner';
  is_default: Generated<boolean>;
  created_at: Generated<Date>;
  last_seen_at: Date | null;
  /** The connection that made it and keeps its role in step. */
  sso_connection_id: number | null;
}

export interface ApiTokensTable {
  id: GeneratedAlways<number>;
  public_id: string;
  team_id: number;
  user_id: number;
  name: string;
  token_hash: Buffer;
  token_prefix: string;
  token_last4: Generated<string>;
  scopes: string[];
  created_at: Generated<Date>;
  last_used_at: Date | null;
  last_used_ip: string | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export interface DeviceAuthorizationsTable {
  id: GeneratedAlways<number>;
  device_code_hash: Buffer;
  user_code: string;
  client_id: string;
  scopes: string[];
  state: Generated<'pending' | 'approved' | 'denied' | 'used'>;
  team_id: number | null;
  user_id: number | null;
  ip: string | null;
  user_agent: string | null;
  poll_interval_seconds: number;
  last_polled_at: Date | null;
  created_at: Generated<Date>;
  expires_at: Date;
}

export interface SshKeysTable extends GithubKeyColumns {
  id: GeneratedAlways<number>;
  public_id: string;
  user_id: number;
  name: string;
  public_key: string;
  fingerprint: string;
  key_type: string;
  source: Generated<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface KmsTable extends KmsCaColumns, KmsHealthColumns {
  id: GeneratedAlways<number>;
  public_id: string;
  slug: string;
  type: Generated<'phala' | 'ethereum' | 'base' | 'legacy'>;
  url: string;
  version: Generated<string>;
  chain_id: number | null;
  kms_contract_address: string | null;
  gateway_app_id: string | null;
  k256_pubkey: string | null;
  state: Generated<'active' | 'retiring' | 'retired'>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface NodesTable {
  id: GeneratedAlways<number>;
  name: string;
  region: string | null;
  state: Generated<'online' | 'maintenance' | 'offline'>;
  fmspc: string | null;
  device_id: string | null;
  ppid: string | null;
  notes: Generated<string>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface TeepodsTable extends FleetTeepodColumns {
  id: GeneratedAlways<number>;
  node_id: number;
  kms_id: number | null;
  name: string;
  kind: Generated<'dstack_vmm' | 'local'>;
  url: string;
  credential_kind: Generated<'none' | 'bearer' | 'basic'>;
  sealed_credential: string | null;
  state: Generated<'online' | 'cordoned' | 'draining' | 'offline'>;
  reachable: Generated<boolean>;
  reachable_since: Date | null;
  last_seen_at: Date | null;
  last_error: string | null;
  version: string | null;
  engine: string | null;
  warnings: Generated<string[]>;
  max_cvms: number;
  max_vcpu: number;
  max_memory_mb: number;
  max_disk_gb: number;
  gateway_base_domain: string | null;
  listed: Generated<boolean>;
  all_teams: Generated<boolean>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface TeepodTeamsTable {
  teepod_id: number;
  team_id: number;
}

export interface OsImagesTable extends FleetImageColumns {
  id: GeneratedAlways<number>;
  name: string;
  slug: string;
  version: string;
  os_image_hash: string | null;
  is_dev: Generated<boolean>;
  requires_gpu: Generated<boolean>;
  created_at: Generated<Date>;
}

export interface TeepodOsImagesTable {
  teepod_id: number;
  os_image_id: number;
}

export interface InstanceTypesTable {
  id: string;
  family: 'cpu' | 'gpu';
  name: string;
  description: Generated<string>;
  vcpu: number;
  memory_mb: number;
  default_disk_size_gb: Generated<number>;
  hourly_rate_micros: number;
  requires_gpu: Generated<boolean>;
  gpu_count: Generated<number>;
  state: Generated<'active' | 'retired'>;
  sort_order: Generated<number>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface AppsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  app_id: string;
  team_id: number;
  kms_id: number | null;
  name: string;
  nonce: number | null;
  created_by: number | null;
  created_at: Generated<Date>;
  archived_at: Date | null;
}

export interface RevisionsTable {
  id: GeneratedAlways<number>;
  public_id: string;
  app_id: number;
  number: number;
  app_compose: string;
  compose_hash: string;
  docker_compose_file: string;
  pre_launch_script: string | null;
  allowed_envs: Generated<string[]>;
  os_image: string | null;
  operation_type: string;
  reason: string | null;
  correlation_id: string | null;
  created_by: number | null;
  created_at: Generated<Date>;
  live_at: Date | null;
  restores_id: number | null;
  resolved_images: ColumnType<ResolvedImage[], string | undefined, string>;
}

export interface ProvisionsTable extends GpuCountColumn {
  id: GeneratedAlways<number>;
  team_id: number;
  user_id: number | null;
  app_id: string;
  nonce: number | null;
  compose_hash: string;
  app_compose: string;
  docker_compose_file: string;
  pre_launch_script: string | null;
  allowed_envs: Generated<string[]>;
  name: string;
  instance_type: string | null;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  os_image: string;
  kms_id: number | null;
  env_pubkey: string;
  teepod_id: number;
  public_logs: boolean;
  public_sysinfo: boolean;
  public_tcbinfo: boolean;
  listed: boolean;
  storage_fs: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
  committed_at: Date | null;
}

export interface CvmsTable extends CvmSettingsColumns, FleetCvmColumns, GpuCountColumn {
  id: GeneratedAlways<number>;
  public_id: string;
  vm_uuid: string;
  team_id: number;
  app_id: number;
  revision_id: number;
  teepod_id: number;
  kms_id: number | null;
  name: string;
  status: CvmStatus;
  status_reason: string | null;
  desired: Generated<CvmDesired>;
  host_vm_id: string | null;
  instance_id: string | null;
  instance_type: string | null;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  hourly_rate_micros: number;
  os_image: string;
  env_pubkey: string | null;
  encrypted_env: string | null;
  public_logs: boolean;
  public_sysinfo: boolean;
  public_tcbinfo: boolean;
  listed: Generated<boolean>;
  storage_fs: string | null;
  ssh_authorized_keys: Generated<string[]>;
  boot_progress: string | null;
  boot_error: string | null;
  endpoints: ColumnType<Endpoint[], string | undefined, string>;
  started_at: Date | null;
  observed_at: Date | null;
  created_by: number | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  deleted_at: Date | null;
}

export interface ReservationsTable {
  id: GeneratedAlways<number>;
  teepod_id: number;
  team_id: number;
  provision_id: number | null;
  cvm_id: number | null;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  /** On the host a CVM is on its way to; a second row of the same CVM. */
  moving: Generated<boolean>;
  created_at: Generated<Date>;
  expires_at: Date | null;
}

export interface OperationsTable {
  id: GeneratedAlways<number>;
  correlation_id: string;
  team_id: number;
  cvm_id: number;
  type: OperationType;
  state: Generated<OperationState>;
  target: string;
  payload: ColumnType<OperationPayload, string | undefined, string>;
  steps: ColumnType<OperationStep[], string | undefined, string>;
  error_code: string | null;
  error_message: string | null;
  requested_by: number | null;
  cancel_requested_at: Date | null;
  cancel_requested_by: number | null;
  lease_owner: string | null;
  lease_until: Date | null;
  attempts: Generated<number>;
  created_at: Generated<Date>;
  started_at: Date | null;
  finished_at: Date | null;
  deadline_at: Date;
  /** The transaction's, as of `ctx.write`; none of a worker's. */
  request_id: Generated<string | null>;
}

export interface EventsTable {
  id: GeneratedAlways<number>;
  team_id: number;
  app_id: number | null;
  cvm_id: number | null;
  operation_id: number | null;
  kind: string;
  severity: Generated<'info' | 'warning' | 'error'>;
  message: string;
  data: ColumnType<Json, string | undefined, string>;
  /** Who asked for the operation; a trigger fills it in. */
  actor_id: number | null;
  /** Of what a host said, so that it is kept once. */
  host_key: Buffer | null;
  created_at: Generated<Date>;
  /** The transaction's, else its operation's. */
  request_id: Generated<string | null>;
}

export interface CvmStateChangesTable {
  id: GeneratedAlways<number>;
  cvm_id: number;
  status: string;
  vcpu: number;
  memory_mb: number;
  disk_gb: number;
  hourly_rate_micros: number;
  at: Generated<Date>;
}

export interface IdempotencyKeysTable {
  scope: string;
  key: string;
  operation_id: string;
  request_hash: Buffer;
  status: number | null;
  response: ColumnType<Json | null, string | null | undefined, string | null>;
  created_at: Generated<Date>;
}

export interface MonitoringEventsTable {
  id: GeneratedAlways<number>;
  received_at: Generated<Date>;
  organization: string;
  project: string;
  kind: string;
  message: Generated<string>;
  environment: string | null;
  release: string | null;
  envelope: string;
  destination: Generated<'kept' | 'forwarded' | 'failed'>;
  last_error: string | null;
}

export interface WorkersTable {
  id: string;
  hostname: string;
  pid: number;
  role: string;
  version: string;
  started_at: Generated<Date>;
  seen_at: Generated<Date>;
}

export interface Database
  extends
    AdminListTables,
    AnnouncementTables,
    AuditTables,
    ChatTables,
    QueueTables,
    PeopleTables,
    StaffTables,
    OutboxTables,
    SsoTables,
    GuessingTables,
    DomainTables,
    EvidenceTables,
    FleetTables,
    GpuTables,
    VaultTables,
    CvmSettingsTables,
    MetricTables,
    WebhookTables,
    NotificationTables,
    RolloutTables {
  users: UsersTable;
  teams: TeamsTable;
  memberships: MembershipsTable;
  api_tokens: ApiTokensTable;
  device_authorizations: DeviceAuthorizationsTable;
  ssh_keys: SshKeysTable;
  kms: KmsTable;
  nodes: NodesTable;
  teepods: TeepodsTable;
  teepod_teams: TeepodTeamsTable;
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
}

export type UserRow = Selectable<UsersTable>;
export type TeamRow = Selectable<TeamsTable>;
export type TeepodRow = Selectable<TeepodsTable>;
export type NodeRow = Selectable<NodesTable>;
export type KmsRow = Selectable<KmsTable>;
export type AppRow = Selectable<AppsTable>;
export type RevisionRow = Selectable<RevisionsTable>;
export type ProvisionRow = Selectable<ProvisionsTable>;
export type CvmRow = Selectable<CvmsTable>;
export type OperationRow = Selectable<OperationsTable>;
export type EventRow = Selectable<EventsTable>;
export type InstanceTypeRow = Selectable<InstanceTypesTable>;
export type OsImageRow = Selectable<OsImagesTable>;
