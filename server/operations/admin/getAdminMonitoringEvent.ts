import { adminOne } from '../../db/adminList';
import { adminMonitoringEvent } from '../../db/adminMonitoringEvents';
import { Problem } from '../../domain/problem';
import { adminMonitoringEventOut } from '../../domain/wire/admin';
import type { Handler } from '../types';
import { etagOf } from './change';

export const getAdminMonitoringEvent: Handler<'getAdminMonitoringEvent'> = async ({ path, ctx }) => {
  const row = await adminOne(ctx.db, adminMonitoringEvent, path.id);
  if (!row) throw new Problem('NOT_FOUND', { message: `There is no error report ${path.id}.` });
  return {
    status: 200,
    headers: { ETag: etagOf('monitoring-events', row.id, row.received_at) },
    body: adminMonitoringEventOut(row),
  };
};
