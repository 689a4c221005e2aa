import { adminTemplateRecords, adminTemplates } from '../../../db/catalog/operatorTemplates';
import { adminTemplateOut, adminTemplateSummaryOut } from '../../../domain/catalog/adminTemplateResponse';
import { adminInstanceTypes } from '../../../db/catalog/adminInstanceTypes';
import { adminMonitoringEvent, adminMonitoringEvents } from '../../../db/platform/adminMonitoringEvents';
import { adminNodes } from '../../../db/hosts/adminNodes';
import { adminOutbox } from '../../../db/notifications/adminOutbox';
import { adminTeepods } from '../../../db/hosts/adminTeepods';
import {
  adminInstanceTypeOut,
  adminMonitoringEventOut,
  adminNodeOut,
  adminOutboxMailOut,
  adminTeepodOut,
} from '../../../domain/hosts/adminHostResponse';
import type { AdminResource } from './resource';

/*
 * Admin resources read directly from the database. Operations with their own rules (create, change, remove) have a
 * file each.
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

export const templates = resource({
  name: 'templates',
  singular: 'template',
  source: adminTemplateRecords,
  out: adminTemplateOut,
  version: updated,
});
export const templateList = resource({
  name: 'templates',
  singular: 'template',
  source: adminTemplates,
  out: adminTemplateSummaryOut,
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

/** Leaves out mail contents: those are opened one at a time, which is audited. */
export const outbox = resource({
  name: 'outbox',
  singular: 'mail',
  source: adminOutbox,
  out: (row) => adminOutboxMailOut(row, null),
  version: (row) => row.created_at,
});
