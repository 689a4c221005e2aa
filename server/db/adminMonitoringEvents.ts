import { sql, type Selectable } from 'kysely';
import type { AdminMonitoringEvent } from '../../generated/api/types.gen';
import type { AdminFieldKind, AdminListSource } from './adminList';
import type { MonitoringEventsTable } from './schema';

export type MonitoringEventRow = Selectable<MonitoringEventsTable>;

/** Characters of the envelope in a list; one event can be half a megabyte, a page of them must not be. */
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
