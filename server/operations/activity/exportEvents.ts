import type { ActivityEvent } from '../../../generated/api/types.gen';
import { everyEvent } from '../../db/activity/eventSearch';
import { toEvent } from '../../domain/activity/eventResponse';
import { dataFile, fieldColumns } from '../core/dataFile';
import type { Handler } from '../types';
import { eventFilter } from './eventFilter';

const COLUMNS = {
  ...fieldColumns('created_at', 'id', 'kind', 'severity', 'message', 'app_id'),
  cvm_id: ({ cvm }: ActivityEvent) => cvm?.vm_uuid ?? null,
  cvm_name: ({ cvm }: ActivityEvent) => cvm?.name ?? null,
  ...fieldColumns('correlation_id'),
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
