import { formatMicros } from '../../../console/lib/billing/money';
import { findCvm } from '../../db/cvms/cvmLookup';
import { cvmRef } from '../../domain/core/references';
import { toUsageByState, toUsageLine } from '../../domain/billing/usageResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { cvmUsage } from './readUsage';
import { usageWindow } from '../metrics/window';

export const getCvmUsage: Handler<'getCvmUsage'> = async ({ path, query, ctx }) => {
  const window = usageWindow(query);
  const { cvm, app } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const { lines, amount_micros } = await cvmUsage(ctx, cvm.id, window);
  return {
    status: 200,
    body: {
      cvm: cvmRef({ ...cvm, app_id: app.app_id })!,
      from: window.from.toISOString(),
      to: window.to.toISOString(),
      amount: formatMicros(amount_micros),
      by_state: toUsageByState(lines),
      lines: lines.map(toUsageLine),
    },
  };
};
