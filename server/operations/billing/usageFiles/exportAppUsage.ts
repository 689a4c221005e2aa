import { USAGE_COLUMNS, usageRows } from '../../../domain/billing/usageResponse';
import { appOf } from '../../apps/appId';
import { teamOf } from '../../core/caller';
import { usageWindow } from '../../metrics/window';
import type { Handler } from '../../types';
import { appUsage } from '../readUsage';
import { usageFile } from './usageFile';

export const exportAppUsage: Handler<'exportAppUsage'> = async ({ path, query, ctx }) => {
  const window = usageWindow(query);
  const { app } = await appOf(ctx, path.app_id);
  const cvms = await appUsage(ctx, { team_id: teamOf(ctx).id, app_id: app.id }, window);
  async function* batches() {
    for (const { cvm, usage } of cvms) yield usageRows(cvm, usage.lines);
  }
  const { format = 'csv' } = query;
  return usageFile(ctx, { of: app.name, window, format, columns: USAGE_COLUMNS, batches: batches() });
};
