import { countLines } from '../../../db/billing/usageTotals';
import { MAX_XLSX_ROWS } from '../../../domain/core/xlsx';
import { teamOf } from '../../core/caller';
import { usageWindow } from '../../metrics/window';
import type { Handler } from '../../types';
import { TEAM_COLUMNS, teamUsageRows } from './teamUsageRows';
import { checkRows, usageFile } from './usageFile';

export const exportTeamUsage: Handler<'exportTeamUsage'> = async ({ query, ctx }) => {
  const { format = 'csv' } = query;
  const window = usageWindow(query);
  const { id, slug } = teamOf(ctx);
  if (format === 'xlsx') checkRows(format, await countLines(ctx.db, id, window, MAX_XLSX_ROWS + 1));
  return usageFile(ctx, {
    of: slug,
    window,
    format,
    columns: TEAM_COLUMNS,
    batches: teamUsageRows(ctx.db, id, window),
  });
};
