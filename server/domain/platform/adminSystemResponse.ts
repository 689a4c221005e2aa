import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type {
  AdminAlert,
  AdminChatLink,
  AdminQueue,
  AdminQueueJob,
  AdminSchedule,
  AdminWorker,
} from '../../../generated/api/types.gen';
import { hideSecrets } from '../audit/auditMask';
import { isSealedValue, MASK } from '../core/sealedValue';
import { iso, type Stored } from '../core/references';

export const adminQueueOut = (row: Stored<AdminQueue, 'oldest_due_at'>): AdminQueue => ({
  ...row,
  oldest_due_at: iso(row.oldest_due_at),
});

type JobTimes = 'created_at' | 'due_at' | 'lease_until' | 'finished_at';
type JobFields = Omit<Stored<AdminQueueJob, JobTimes>, 'payload'> & { payload: unknown };

export const adminQueueJobOut = ({ payload, ...row }: JobFields): AdminQueueJob => ({
  ...row,
  name: cutWhole(row.name, 200),
  last_error: row.last_error === null ? null : cutWhole(row.last_error, 2000),
  created_at: row.created_at.toISOString(),
  due_at: iso(row.due_at),
  lease_until: iso(row.lease_until),
  finished_at: iso(row.finished_at),
  payload: payload === null ? '' : payloadText(payload),
});

type Value = Parameters<typeof hideSecrets>[0];

/** Returns the payload as JSON text, with secrets and sealed values masked. */
function payloadText(payload: unknown): string {
  const text = JSON.stringify(withoutSealed(hideSecrets(payload as Value)), null, 2);
  return text.length > 20_000 ? `${cutWhole(text, 19_990)}…` : text;
}

function withoutSealed(value: Value): Value {
  if (typeof value === 'string') return isSealedValue(value) ? MASK : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutSealed);
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      HIDDEN_KEYS.test(key) && item !== null ? MASK : withoutSealed(item),
    ]),
  );
}

/** Masked because a CVM's configuration may hold anything; its owner sees it on the CVM's page. */
const HIDDEN_KEYS = /user_config|encrypted_env|pre_launch_script|token|secret|password/i;

/** Workers record their runs with each heartbeat: this soon after a run was due, it may have started unrecorded. */
const RECORDED_WITHIN_MS = 30_000;

export const adminScheduleOut = (
  row: Stored<AdminSchedule, 'last_run_at' | 'next_run_at' | 'last_failed_at' | 'last_cut_at'>,
): AdminSchedule => ({
  ...row,
  last_run_at: iso(row.last_run_at),
  next_run_at: iso(nextRun(row.next_run_at, Date.now())),
  last_failed_at: iso(row.last_failed_at),
  last_cut_at: iso(row.last_cut_at),
});

/** Returns null once it has passed and the run may not be recorded yet. A late run stays. @param now ms */
export const nextRun = (at: Date | null, now: number): Date | null =>
  at !== null && at.getTime() <= now && at.getTime() > now - RECORDED_WITHIN_MS ? null : at;

export const adminWorkerOut = (row: Stored<AdminWorker, 'started_at' | 'seen_at'>): AdminWorker => ({
  ...row,
  started_at: row.started_at.toISOString(),
  seen_at: row.seen_at.toISOString(),
});

export const adminAlertOut = (
  row: Stored<AdminAlert, 'opened_at' | 'updated_at' | 'acknowledged_at' | 'resolved_at'>,
): AdminAlert => ({
  id: row.id,
  kind: row.kind,
  subject: row.subject,
  state: row.state,
  severity: row.severity,
  title: row.title,
  message: row.message,
  count: row.count,
  opened_at: row.opened_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  acknowledged_at: iso(row.acknowledged_at),
  acknowledged_by: row.acknowledged_by,
  resolved_at: iso(row.resolved_at),
});

export interface ChatLinkFields extends Omit<
  AdminChatLink,
  'quiet_hours' | 'linked_by' | 'linked_at' | 'last_sent_at'
> {
  quiet_from: string | null;
  quiet_to: string | null;
  linked_by_name: string | null;
  linked_at: Date;
  last_sent_at: Date | null;
}

export const chatLinkOut = (row: ChatLinkFields): AdminChatLink => ({
  id: row.id,
  title: row.title,
  kind: row.kind,
  state: row.state,
  alerts: row.alerts,
  min_severity: row.min_severity,
  time_zone: row.time_zone,
  quiet_hours:
    row.quiet_from === null || row.quiet_to === null ? null : { from: row.quiet_from, to: row.quiet_to },
  linked_by: row.linked_by_name,
  linked_at: row.linked_at.toISOString(),
  last_sent_at: iso(row.last_sent_at),
  last_error: row.last_error,
});
