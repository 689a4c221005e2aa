import { aiCharges } from '../../db/ai/aiCharges';
import { aiUsageByDay } from '../../db/ai/aiRequests';
import { aiChargesOut, aiUsageDayOut } from '../../domain/ai/aiResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

const DAYS = 30;
const MAX_ROWS = 20_000;

export const getAiUsage: Handler<'getAiUsage'> = async ({ ctx }) => {
  const since = new Date();
  since.setUTCHours(0, 0, 0, 0);
  since.setUTCDate(since.getUTCDate() - (DAYS - 1));
  const { id } = teamOf(ctx);
  const [rows, charges] = await Promise.all([
    aiUsageByDay(ctx.db, id, since, MAX_ROWS),
    aiCharges(ctx.db, id, since),
  ]);
  return { status: 200, body: { ...aiChargesOut(charges), days: rows.map(aiUsageDayOut) } };
};
