import { adminInstanceTypes } from '../../db/adminInstanceTypes';
import { adminMonitoringEvent, adminMonitoringEvents } from '../../db/adminMonitoringEvents';
import { adminNodes } from '../../db/adminNodes';
import { adminOutbox } from '../../db/adminOutbox';
import { adminTeepods } from '../../db/adminTeepods';
import {
  adminInstanceTypeOut,
  adminMonitoringEventOut,
  adminNodeOut,
  adminOutboxMailOut,
  adminTeepodOut,
} from '../../domain/wire/admin';
import type { AdminResource } from './resource';

/*
 * The resources of the admin area that are read as they lie in the database. Operations with rules of their own (creating,
 * changing, removing) have a file each.
 */

const resource = <Row, Out>(given: AdminResource<Row, Out>) => given;
const updated = (row: { updated_at: Date }) => row.updated_at;

export const nodes = resource({
  name: 'nodes',
  singular: 'node',
  source: adminNodes,
  out: adminNodeOut,
  version: updated,
});

export const teepods = resource({
  name: 'teepods',
  singular: 'teepod',
  source: adminTeepods,
  out: adminTeepodOut,
  version: updated,
});

export const instanceTypes = resource({
  name: 'instance-types',
  singular: 'instance type',
  source: adminInstanceTypes,
  out: adminInstanceTypeOut,
  version: updated,
});

export const monitoringEvents = resource({
  name: 'monitoring-events',
  singular: 'error report',
  source: adminMonitoringEvents,
  one: adminMonitoringEvent,
  out: adminMonitoringEventOut,
  version: (row) => row.received_at,
});

/** Without what the mails say: that is opened one at a time, and leaves an audit row. */
export const outbox = resource({
  name: 'outbox',
  singular: 'mail',
  source: adminOutbox,
  out: (row) => adminOutboxMailOut(row, null),
  version: (row) => row.created_at,
});
