import { usageGroups } from '../../domain/billing/costResponse';
import type { Handler } from '../types';
import { readTotals } from './readTotals';

export const getTeamUsage: Handler<'getTeamUsage'> = async ({ query, ctx }) => {
  const { group_by = 'app' } = query;
  const { window, days, totals, names } = await readTotals(ctx, query, group_by, true);
  return {
    status: 200,
    body: {
      from: window.from.toISOString(),
      to: window.to.toISOString(),
      group_by,
      ...usageGroups(totals, names, days),
    },
  };
};
