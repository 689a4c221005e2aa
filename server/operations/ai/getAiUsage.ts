import { aiUsageByDay } from '../../db/ai/aiRequests';
import { aiUsageDayOut } from '../../domain/ai/aiResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

const DAYS = 30;
const MOST_ROWS = 20_000;

export const getAiUsage: Handler<'getAiUsage'> = async ({ ctx }) => {
  const since = new Date();
  since.setUTCHours(0, 0, 0, 0);
  since.setUTCDate(since.getUTCDate() - (DAYS - 1));
  const rows = await aiUsageByDay(ctx.db, teamOf(ctx).id, since, MOST_ROWS);
  return { status: 200, body: { days: rows.map(aiUsageDayOut) } };
};
