import type { ActivityEvent } from '../../../generated/api/types.gen';
import { everyEvent } from '../../db/activity/eventSearch';
import { toEvent } from '../../domain/activity/eventResponse';
import { dataFile } from '../core/dataFile';
import type { Handler } from '../types';
import { eventFilter } from './eventFilter';

const COLUMNS = {
  created_at: (event: ActivityEvent) => event.created_at,
  id: (event: ActivityEvent) => event.id,
  kind: (event: ActivityEvent) => event.kind,
  severity: (event: ActivityEvent) => event.severity,
  message: (event: ActivityEvent) => event.message,
  app_id: (event: ActivityEvent) => event.app_id,
  cvm_id: ({ cvm }: ActivityEvent) => cvm?.vm_uuid ?? null,
  cvm_name: ({ cvm }: ActivityEvent) => cvm?.name ?? null,
  correlation_id: (event: ActivityEvent) => event.correlation_id,
  user: ({ actor }: ActivityEvent) => actor?.username ?? null,
  data: ({ data }: ActivityEvent) => JSON.stringify(data),
};

export const exportEvents: Handler<'exportEvents'> = async ({ query, ctx }) => {
  const { format = 'csv', ...params } = query;
  const filter = await eventFilter(ctx, params);
  async function* batches() {
    for await (const rows of everyEvent(ctx.db, filter)) yield rows.map(toEvent);
  }
  return dataFile(ctx, { what: 'events', format, columns: COLUMNS, batches: batches() });
};
