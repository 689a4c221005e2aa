import { findCvm } from '../../db/cvms/cvmLookup';
import { usageCsv } from '../../domain/billing/usageResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { asStream, attachment } from '../metrics/attachment';
import { cvmUsage } from './readUsage';
import { usageWindow } from '../metrics/window';

export const exportCvmUsage: Handler<'exportCvmUsage'> = async ({ path, query, ctx }) => {
  const window = usageWindow(query);
  const { cvm } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const { lines } = await cvmUsage(ctx, cvm.id, window);
  const day = window.from.toISOString().slice(0, 10);
  return attachment(`${cvm.name}-usage-${day}`, asStream(usageCsv([{ cvm, lines }])));
};
