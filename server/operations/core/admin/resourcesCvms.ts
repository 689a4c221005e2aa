import type { AdminListQuery } from '../../../db/core/adminList';
import { adminCvms } from '../../../db/cvms/adminCvms';
import { adminInstanceEvent, adminInstanceEvents } from '../../../db/activity/adminInstanceEvents';
import { adminCvmOut, adminInstanceEventOut } from '../../../domain/platform/adminListResponse';
import type { AdminResource } from './resource';

/** Filters by operation or kind, which therefore include steps. */
const ASKS_STEPS: ReadonlySet<string> = new Set(['is_step', 'kind', 'correlation_id', 'request_id']);

/** Leaves out operation steps: one deployment has eight. */
const withoutSteps = ({ filter, search }: AdminListQuery): AdminListQuery['filter'] =>
  search !== null || filter.some(({ field }) => ASKS_STEPS.has(field))
    ? filter
    : [...filter, { field: 'is_step', values: [false] }];

const resource = <Row, Out>(given: AdminResource<Row, Out>) => given;

export const instanceEvents = resource({
  name: 'instance-events',
  singular: 'event',
  source: adminInstanceEvents,
  one: adminInstanceEvent,
  narrow: withoutSteps,
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
