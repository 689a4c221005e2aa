import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type {
  AdminInstanceType,
  AdminMonitoringEvent,
  AdminNode,
  AdminOutboxMail,
  AdminTeepod,
} from '../../../generated/api/types.gen';
import { formatMicros } from '../../../console/lib/billing/money';
import { iso, type Stored } from '../core/references';

interface Times {
  created_at: Date;
  updated_at: Date;
}

const times = (row: Times) => ({
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

export type AdminNodeFields = Stored<AdminNode, keyof Times>;

export const adminNodeOut = (node: AdminNodeFields): AdminNode => ({
  id: node.id,
  name: node.name,
  region: node.region,
  state: node.state,
  fmspc: node.fmspc,
  device_id: node.device_id,
  ppid: node.ppid,
  notes: node.notes,
  teepod_count: node.teepod_count,
  used_cvms: node.used_cvms,
  max_cvms: node.max_cvms,
  used_vcpu: node.used_vcpu,
  max_vcpu: node.max_vcpu,
  used_memory_mb: node.used_memory_mb,
  max_memory_mb: node.max_memory_mb,
  ...times(node),
});

type Moments = 'reachable_since' | 'last_seen_at';
export type AdminTeepodFields = Stored<AdminTeepod, keyof Times | Moments>;

/** Returns a teepod without its `sealed_credential`: callers see only whether there is one. */
export const adminTeepodOut = (teepod: AdminTeepodFields): AdminTeepod => ({
  id: teepod.id,
  kind: teepod.kind,
  node_id: teepod.node_id,
  name: teepod.name,
  url: teepod.url,
  credential_kind: teepod.credential_kind,
  tee: teepod.tee,
  state: teepod.state,
  node_state: teepod.node_state,
  drain_id: teepod.drain_id,
  gateway_base_domain: teepod.gateway_base_domain,
  kms_id: teepod.kms_id,
  max_cvms: teepod.max_cvms,
  max_vcpu: teepod.max_vcpu,
  max_memory_mb: teepod.max_memory_mb,
  max_disk_gb: teepod.max_disk_gb,
  listed: teepod.listed,
  all_teams: teepod.all_teams,
  has_credential: teepod.has_credential,
  reachable: teepod.reachable,
  reachable_since: iso(teepod.reachable_since),
  last_seen_at: iso(teepod.last_seen_at),
  last_error: teepod.last_error === null ? null : cutWhole(teepod.last_error, 2000),
  version: teepod.version === null ? null : teepod.version.slice(0, 64),
  engine: teepod.engine,
  used_cvms: teepod.used_cvms,
  used_vcpu: teepod.used_vcpu,
  used_memory_mb: teepod.used_memory_mb,
  used_disk_gb: teepod.used_disk_gb,
  recycled_cvms: teepod.recycled_cvms,
  recycled_disk_gb: teepod.recycled_disk_gb,
  host_cvms: teepod.host_cvms,
  host_vcpu: teepod.host_vcpu,
  host_memory_mb: teepod.host_memory_mb,
  drift: teepod.drift,
  gpu_model: teepod.gpu_model,
  gpu_count: teepod.gpu_count,
  used_gpus: teepod.used_gpus,
  port_mapping: teepod.port_mapping,
  attach_all_gpus: teepod.attach_all_gpus,
  os_images: teepod.os_images.slice(0, 500),
  warnings: teepod.warnings.slice(0, 50),
  ...times(teepod),
});

export type AdminInstanceTypeFields = Omit<
  AdminInstanceType,
  keyof Times | 'hourly_rate' | 'gpu_hourly_rate'
> &
  Times & { hourly_rate_micros: number; gpu_rate_micros: number };

export const adminInstanceTypeOut = (type: AdminInstanceTypeFields): AdminInstanceType => ({
  id: type.id,
  family: type.family,
  name: type.name,
  description: type.description,
  vcpu: type.vcpu,
  memory_mb: type.memory_mb,
  default_disk_size_gb: type.default_disk_size_gb,
  hourly_rate: formatMicros(type.hourly_rate_micros),
  gpu_hourly_rate: formatMicros(type.gpu_rate_micros),
  requires_gpu: type.requires_gpu,
  gpu_count: type.gpu_count,
  state: type.state,
  sort_order: type.sort_order,
  cvm_count: type.cvm_count,
  ...times(type),
});

export type AdminMonitoringEventFields = Stored<AdminMonitoringEvent, 'received_at'>;

export const adminMonitoringEventOut = (event: AdminMonitoringEventFields): AdminMonitoringEvent => ({
  id: event.id,
  received_at: event.received_at.toISOString(),
  organization: event.organization.slice(0, 32),
  project: event.project.slice(0, 32),
  kind: event.kind.slice(0, 64),
  message: cutWhole(event.message, 2000),
  destination: event.destination,
  last_error: event.last_error,
  environment: event.environment === null ? null : cutWhole(event.environment, 64),
  release: event.release === null ? null : cutWhole(event.release, 200),
  envelope: cutWhole(event.envelope, 1_048_576),
});

type MailMoments = 'created_at' | 'next_attempt_at' | 'sent_at';
export type AdminOutboxMailFields = Omit<Stored<AdminOutboxMail, MailMoments>, 'text'>;

export const adminOutboxMailOut = (mail: AdminOutboxMailFields, text: string | null): AdminOutboxMail => ({
  id: mail.id,
  created_at: mail.created_at.toISOString(),
  to: mail.to,
  template: mail.template,
  subject: cutWhole(mail.subject, 300),
  state: mail.state,
  attempts: mail.attempts,
  next_attempt_at: iso(mail.next_attempt_at),
  last_error: mail.last_error,
  sent_at: iso(mail.sent_at),
  team_id: mail.team_id,
  team_slug: mail.team_slug,
  text: text === null ? null : cutWhole(text, 20_000),
});
