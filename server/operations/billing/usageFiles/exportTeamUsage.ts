import { teamOf } from '../../core/caller';
import { usageWindow } from '../../metrics/window';
import type { Handler } from '../../types';
import { TEAM_COLUMNS, teamUsageRows } from './teamUsageRows';
import { usageFile } from './usageFile';

export const exportTeamUsage: Handler<'exportTeamUsage'> = async ({ query, ctx }) => {
  const window = usageWindow(query);
  const { id, slug } = teamOf(ctx);
  return usageFile(slug, window, TEAM_COLUMNS, teamUsageRows(ctx.db, id, window));
};
