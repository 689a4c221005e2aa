import type {
  AdminBulkJob,
  AdminBulkJobRow,
  AdminCvm,
  AdminInstanceEvent,
  AdminView,
} from '../../../generated/api/types.gen';
import { formatMicros } from '../../../console/lib/billing/money';
import { iso, short, type Stored } from '../core/references';
import { textKeys } from '../core/textKeys';

export const adminInstanceEventOut = (
  event: Stored<AdminInstanceEvent, 'created_at'>,
): AdminInstanceEvent => ({
  id: event.id,
  created_at: event.created_at.toISOString(),
  kind: event.kind.slice(0, 64),
  severity: event.severity,
  message: short(event.message, 2000),
  team_id: event.team_id,
  team_slug: event.team_slug,
  app_id: event.app_id,
  cvm_id: event.cvm_id,
  cvm_name: event.cvm_name,
  correlation_id: event.correlation_id,
  request_id: event.request_id,
  operation_type: event.operation_type,
  is_step: event.is_step,
  is_app_fault: event.is_app_fault,
  actor_id: event.actor_id,
  actor: event.actor,
  data: event.data,
});

type CvmTimes = 'created_at' | 'updated_at' | 'started_at' | 'observed_at' | 'deleted_at';
export type AdminCvmFields = Omit<Stored<AdminCvm, CvmTimes>, 'hourly_rate'> & {
  /** Micro-dollars. */
  hourly_rate: number;
};

export const adminCvmOut = (cvm: AdminCvmFields): AdminCvm => ({
  id: cvm.id,
  public_id: cvm.public_id,
  name: cvm.name,
  status: cvm.status,
  status_reason: short(cvm.status_reason, 2000),
  status_reason_keys: textKeys(cvm.status_reason_keys),
  desired: cvm.desired,
  team_id: cvm.team_id,
  team_slug: cvm.team_slug,
  team_name: cvm.team_name,
  app_id: cvm.app_id,
  app_name: cvm.app_name,
  teepod_id: cvm.teepod_id,
  node_id: cvm.node_id,
  kms_id: cvm.kms_id,
  instance_type: cvm.instance_type,
  os_image: cvm.os_image,
  vcpu: cvm.vcpu,
  memory_mb: cvm.memory_mb,
  disk_gb: cvm.disk_gb,
  hourly_rate: formatMicros(cvm.hourly_rate),
  host_vm_id: short(cvm.host_vm_id, 128),
  instance_id: cvm.instance_id,
  boot_progress: short(cvm.boot_progress, 500),
  boot_error: short(cvm.boot_error, 2000),
  created_by: cvm.created_by,
  created_at: cvm.created_at.toISOString(),
  updated_at: cvm.updated_at.toISOString(),
  started_at: iso(cvm.started_at),
  observed_at: iso(cvm.observed_at),
  deleted_at: iso(cvm.deleted_at),
  deleted_by: cvm.deleted_by,
});

type JobTimes = 'created_at' | 'updated_at' | 'started_at' | 'finished_at' | 'cancel_requested_at';
export type AdminBulkJobFields = Omit<Stored<AdminBulkJob, JobTimes>, 'done'>;

export const adminBulkJobOut = (job: AdminBulkJobFields): AdminBulkJob => ({
  id: job.id,
  resource: job.resource,
  action: job.action,
  state: job.state,
  total: job.total,
  done: job.succeeded + job.failed + job.skipped,
  succeeded: job.succeeded,
  failed: job.failed,
  skipped: job.skipped,
  body: job.body,
  filter: job.filter,
  user_id: job.user_id,
  username: job.username,
  created_at: job.created_at.toISOString(),
  updated_at: job.updated_at.toISOString(),
  started_at: iso(job.started_at),
  finished_at: iso(job.finished_at),
  cancel_requested_at: iso(job.cancel_requested_at),
});

export const adminBulkJobRowOut = (row: Stored<AdminBulkJobRow, 'finished_at'>): AdminBulkJobRow => ({
  id: row.id,
  row_id: row.row_id,
  name: row.name,
  state: row.state,
  code: row.code,
  message: short(row.message, 2000),
  finished_at: iso(row.finished_at),
});

export const adminViewOut = (view: Stored<AdminView, 'created_at' | 'updated_at'>): AdminView => ({
  id: view.id,
  resource: view.resource,
  name: view.name,
  query: view.query,
  shared: view.shared,
  mine: view.mine,
  owner: view.owner,
  created_at: view.created_at.toISOString(),
  updated_at: view.updated_at.toISOString(),
});
