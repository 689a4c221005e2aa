import { adminCvms } from '../../../db/cvms/adminCvms';
import { adminInstanceEvent, adminInstanceEvents } from '../../../db/activity/adminInstanceEvents';
import { adminCvmOut, adminInstanceEventOut } from '../../../domain/platform/adminListResponse';
import type { AdminResource } from './resource';

const resource = <Row, Out>(given: AdminResource<Row, Out>) => given;

export const instanceEvents = resource({
  name: 'instance-events',
  singular: 'event',
  source: adminInstanceEvents,
  one: adminInstanceEvent,
  out: adminInstanceEventOut,
  version: (row) => row.created_at,
});

export const cvms = resource({
  name: 'cvms',
  singular: 'CVM',
  source: adminCvms,
  out: adminCvmOut,
  version: (row) => row.updated_at,
});
