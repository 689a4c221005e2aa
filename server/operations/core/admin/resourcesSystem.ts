import { adminAuditDestinations } from '../../../db/audit/auditDestinations';
import { adminAlerts } from '../../../db/platform/alerts';
import {
  adminQueueJob,
  adminQueueJobs,
  adminQueues,
  adminSchedules,
  adminWorkers,
} from '../../../db/platform/adminQueues';
import { adminAuditDestinationOut } from '../../../domain/audit/destinationResponse';
import {
  adminAlertOut,
  adminQueueJobOut,
  adminQueueOut,
  adminScheduleOut,
  adminWorkerOut,
} from '../../../domain/platform/adminSystemResponse';
import type { AdminResource } from './resource';

const resource = <Row, Out>(given: AdminResource<Row, Out>) => given;

export const queues = resource({
  name: 'queue-workers',
  singular: 'queue',
  source: adminQueues,
  out: adminQueueOut,
  version: (row) => row.oldest_due_at ?? new Date(0),
});

export const queueJobs = resource({
  name: 'queue-jobs',
  singular: 'job',
  source: adminQueueJobs,
  one: adminQueueJob,
  out: adminQueueJobOut,
  version: (row) => row.lease_until ?? row.created_at,
});

export const schedules = resource({
  name: 'queue-schedules',
  singular: 'schedule',
  source: adminSchedules,
  out: adminScheduleOut,
  version: (row) => row.last_run_at ?? new Date(0),
});

export const workers = resource({
  name: 'workers',
  singular: 'process',
  source: adminWorkers,
  out: adminWorkerOut,
  version: (row) => row.seen_at,
});

export const alerts = resource({
  name: 'alerts',
  singular: 'alert',
  source: adminAlerts,
  out: adminAlertOut,
  version: (row) => row.updated_at,
});

export const auditDestinations = resource({
  name: 'audit-destinations',
  singular: 'audit destination',
  source: adminAuditDestinations,
  out: adminAuditDestinationOut,
  version: (row) => row.updated_at,
});
