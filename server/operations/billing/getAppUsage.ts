import { formatMicros } from '../../../console/lib/billing/money';
import { cvmRef, iso } from '../../domain/core/references';
import { toUsageByState } from '../../domain/billing/usageResponse';
import { appOf } from '../apps/appId';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { appUsage } from './readUsage';
import { usageWindow } from '../metrics/window';

export const getAppUsage: Handler<'getAppUsage'> = async ({ path, query, ctx }) => {
  const window = usageWindow(query);
  const { app } = await appOf(ctx, path.app_id);
  const cvms = await appUsage(ctx, { team_id: teamOf(ctx).id, app_id: app.id }, window);
  return {
    status: 200,
    body: {
      app_id: app.app_id,
      from: window.from.toISOString(),
      to: window.to.toISOString(),
      amount: formatMicros(cvms.reduce((sum, { usage }) => sum + usage.amount_micros, 0)),
      by_state: toUsageByState(cvms.flatMap(({ usage }) => usage.lines)),
      cvms: cvms.map(({ cvm, usage }) => ({
        cvm: cvmRef({ ...cvm, app_id: app.app_id })!,
        deleted_at: iso(cvm.deleted_at),
        amount: formatMicros(usage.amount_micros),
        by_state: toUsageByState(usage.lines),
      })),
    },
  };
};
