import { findCvm } from '../../../db/cvms/cvmLookup';
import { USAGE_COLUMNS, usageRows } from '../../../domain/billing/usageResponse';
import { teamOf } from '../../core/caller';
import { usageWindow } from '../../metrics/window';
import type { Handler } from '../../types';
import { cvmUsage } from '../readUsage';
import { usageFile } from './usageFile';

export const exportCvmUsage: Handler<'exportCvmUsage'> = async ({ path, query, ctx }) => {
  const window = usageWindow(query);
  const { cvm } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const { lines } = await cvmUsage(ctx, cvm.id, window);
  async function* batches() {
    yield usageRows(cvm, lines);
  }
  const { format = 'csv' } = query;
  return usageFile(ctx, { of: cvm.name, window, format, columns: USAGE_COLUMNS, batches: batches() });
};
