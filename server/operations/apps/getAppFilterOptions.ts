import { appFilterOptions } from '../../db/apps/appFilterOptions';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const getAppFilterOptions: Handler<'getAppFilterOptions'> = async ({ ctx }) => ({
  status: 200,
  body: await appFilterOptions(ctx.db, teamOf(ctx).id),
});
