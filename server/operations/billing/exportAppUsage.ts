import { usageCsv } from '../../domain/billing/usageResponse';
import { appOf } from '../apps/appId';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { asStream, attachment } from '../metrics/attachment';
import { appUsage } from './readUsage';
import { usageWindow } from '../metrics/window';

export const exportAppUsage: Handler<'exportAppUsage'> = async ({ path, query, ctx }) => {
  const window = usageWindow(query);
  const { app } = await appOf(ctx, path.app_id);
  const cvms = await appUsage(ctx, { team_id: teamOf(ctx).id, app_id: app.id }, window);
  const day = window.from.toISOString().slice(0, 10);
  const rows = cvms.map(({ cvm, usage }) => ({ cvm, lines: usage.lines }));
  return attachment(`${app.name}-usage-${day}`, asStream(usageCsv(rows)));
};
