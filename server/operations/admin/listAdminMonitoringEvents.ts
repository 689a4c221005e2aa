import { adminList } from '../../db/adminList';
import { adminMonitoringEvents } from '../../db/adminMonitoringEvents';
import { adminMonitoringEventOut } from '../../domain/wire/admin';
import type { Handler } from '../types';
import { contentRange, parseListQuery } from './listQuery';

export const listAdminMonitoringEvents: Handler<'listAdminMonitoringEvents'> = async ({ query, ctx }) => {
  const asked = parseListQuery(query, adminMonitoringEvents.fields);
  const { rows, total } = await adminList(ctx.db, adminMonitoringEvents, asked);
  return {
    status: 200,
    headers: { 'Content-Range': contentRange('monitoring-events', asked.first, rows.length, total) },
    body: rows.map(adminMonitoringEventOut),
  };
};
