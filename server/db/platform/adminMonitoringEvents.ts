import { sql, type Selectable } from 'kysely';
import type { AdminMonitoringEvent } from '../../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import type { MonitoringEventsTable } from './monitoringEventsTable';

export type MonitoringEventRow = Selectable<MonitoringEventsTable>;

/** Envelope characters in a list; a single event can be half a megabyte, which a page can't multiply. */
const ENVELOPE_IN_LIST = 500;

const fields = {
  id: 'integer',
  received_at: 'time',
  organization: 'text',
  project: 'text',
  kind: 'text',
  message: 'text',
  destination: 'text',
  last_error: 'text',
  environment: 'text',
  release: 'text',
  envelope: 'none',
} satisfies Record<keyof AdminMonitoringEvent, AdminFieldKind>;

export const adminMonitoringEvents: AdminListSource<MonitoringEventRow> = {
  fields,
  searched: ['message', 'release', 'environment'],
  select: sql<MonitoringEventRow>`select id, received_at, organization, project, kind, message, destination, last_error, environment, release,
    left(envelope, ${sql.lit(ENVELOPE_IN_LIST)}) as envelope from monitoring_events`,
};

export const adminMonitoringEvent = {
  select: sql<MonitoringEventRow>`select * from monitoring_events`,
};
