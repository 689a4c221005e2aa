import { cvmsByStatus } from '../../db/apps/appsSummary';
import { appsSummaryOut } from '../../domain/apps/appsSummary';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const getAppsSummary: Handler<'getAppsSummary'> = async ({ ctx }) => ({
  status: 200,
  body: appsSummaryOut(await cvmsByStatus(ctx.db, teamOf(ctx).id)),
});
