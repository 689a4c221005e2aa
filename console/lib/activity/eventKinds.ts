import { allowedActions, type OperationType } from '../cvms/allowedActions';
import { operationResult } from '../cvms/operationWords';

// Every event kind the server writes (its types check this), with the words of its rows on screen.

const RESULTS = ['requested', 'succeeded', 'failed', 'cancelled'] as const;

const OTHERS = {
  'boot.progress': 'Boot',
  'boot.error': 'Boot error',
  'update.pending_approval': 'Revision waiting for the app’s contract',
  'update.replaced': 'Pending change replaced',
  'update.withdrawn': 'Pending change withdrawn',
  'rollout.requested': 'Rollout requested',
  'rollout.started': 'Rollout started',
  'rollout.succeeded': 'Rollout succeeded',
  'rollout.failed': 'Rollout failed',
  'rollout.cancel_requested': 'Rollout canceled, stops after the current CVM',
  'rollout.cancelled': 'Rollout canceled',
  'rollout.reverting': 'Rollout is being rolled back',
  'rollout.cvm_updated': 'Rollout: CVM has the revision',
  'rollout.cvm_reverted': 'Rollout: CVM has the previous revision again',
  'rollout.cvm_failed': 'Rollout: CVM failed',
  'domain.verified': 'Domain points to the app',
  'domain.broken': 'Domain no longer points to the app',
  'order.paid': 'Reservation charged',
  'order.started': 'Reservation covers a CVM',
  'order.ending': 'Reservation ends or renews soon',
  'order.renewed': 'Reservation renewed',
  'order.renewal_failed': 'Reservation not renewed',
  'order.ended': 'Reservation ended',
  'order.cancelled': 'Reservation canceled',
  'order.expired': 'Reservation expired',
  'cvm.maintenance_planned': 'Maintenance planned',
  'cvm.maintenance_began': 'Maintenance started',
  'cvm.maintenance_over': 'Maintenance ended',
  'cvm.schedule_stop': 'Scheduled stop',
  'cvm.schedule_delete': 'Scheduled deletion',
  'cvm.schedule_warning': 'Stopped or deleted within the hour, as scheduled',
  'cvm.drain_notice': 'Will be stopped: its host is being taken out of service',
  'cvm.drain_moved': 'Moved to another host with an empty disk',
  'cvm.drain_stopped': 'Stopped because its host is being taken out of service',
  'cvm.drain_cancelled': 'Won’t be stopped: its host stays in service',
  'cvm.recycled': 'In the recycle bin',
  'cvm.restored': 'Restored from the recycle bin',
  'cvm.bin_gave_way': 'Destroyed before its time in the recycle bin ended',
  'cvm.renamed': 'Renamed',
  'cvm.protected': 'Deletion protection turned on',
  'cvm.unprotected': 'Deletion protection turned off',
  'cvm.movable': 'Moving to another host allowed or forbidden',
  'cvm.listed': 'Public listing turned on or off',
  'cvm.debt_stop': 'Stopped because of a debt',
  'cvm.debt_delete': 'Deleted because of a debt',
  'cvm.debt_start': 'Started after a debt was settled',
  'cvm.budget_stop': 'Stopped because a budget is used up',
  'cvm.lost': 'Its host no longer lists its VM',
  'cvm.found': 'Its host lists its VM again',
  'cvm.recovered': 'Running again',
  'cvm.repair': 'Started or stopped to match the desired state',
  'cvm.given_up': 'Given up: it starts with an empty disk',
  'cvm.vm_chosen': 'An administrator chose another VM',
  'cvm.vm_removed': 'Removed a VM that this CVM doesn’t use',
  'cvm.vm_detached': 'Devices detached from the VM it gave up',
  'cvm.gpu_attached': 'GPU attached',
  'cvm.gpu_detached': 'GPU detached',
  'cvm.disk_low': 'Disk almost full',
  'cvm.disk_recovered': 'Disk has space again',
  'cvm.memory_high': 'Memory almost used up',
  'cvm.memory_recovered': 'Memory available again',
  'budget.alert': 'Budget alert',
  'budget.used_up': 'Budget used up',
  'budget.over': 'Budget alert resolved',
  'webhook.failed': 'Event couldn’t be delivered to a webhook',
  'webhook.recovered': 'Webhook accepts events again',
  'webhook.disabled': 'Webhook turned off',
  'host.unreachable': 'Host unreachable',
  'host.recovered': 'Host reachable again',
  'host.boot.progress': 'Host: boot',
  'host.boot.error': 'Host: boot error',
  'host.shutdown.progress': 'Host: shutdown',
  'host.instance.info': 'Host: instance',
  'host.vmm.exited': 'Host: VM exited',
  'host.vmm.auto_restart': 'Host: VM restarted automatically',
  'host.vmm.auto_restart.exhausted': 'Host: no more automatic restarts',
  'host.events_dropped': 'Host reports too many events',
} as const;

/** Hosts add their own kinds. */
export type EventKind =
  | `${OperationType}.${(typeof RESULTS)[number] | 'cancel_requested'}`
  | keyof typeof OTHERS
  | `host.${string}`;

interface KindChoice {
  /** A kind, its first part, or a pattern with `*`. */
  value: string;
  /** The words shown in rows of this kind. */
  words: string;
}

const OPERATIONS = Object.keys(allowedActions) as OperationType[];

/** Filter kinds that stand for several: each event has exactly one, apart from the group of all failures. */
export const EVENT_GROUPS: readonly KindChoice[] = [
  { value: '*.failed', words: 'All failures' },
  { value: 'rollout.*', words: 'Rollouts' },
  { value: 'domain.*', words: 'Domains' },
  { value: 'order.*', words: 'Reservations, also called orders' },
  { value: 'cvm.maintenance_*', words: 'Maintenance' },
  { value: 'budget.*', words: 'Budgets' },
  { value: 'webhook.*', words: 'Webhooks' },
  { value: 'cvm.*', words: 'Monitoring, maintenance, settings and schedules' },
  { value: 'host.*', words: 'Reported by the host' },
  { value: 'boot.*', words: 'Boot' },
  ...OPERATIONS.map((type) => ({ value: `${type}.*`, words: operationResult(type, 'succeeded') })),
];

/** Filter kinds, with the words users search for. */
export const EVENT_KINDS: readonly KindChoice[] = [
  ...OPERATIONS.flatMap((type) => [
    ...RESULTS.map((result) => ({ value: `${type}.${result}`, words: operationResult(type, result) })),
    { value: `${type}.cancel_requested`, words: `Canceling: undoing the ${type}` },
  ]),
  ...Object.entries(OTHERS).map(([value, words]) => ({ value, words })),
];
