import { listAiKeys as listRows } from '../../db/ai/aiKeys';
import { aiKeyOut } from '../../domain/ai/aiResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const listAiKeys: Handler<'listAiKeys'> = async ({ ctx }) => {
  const rows = await listRows(ctx.db, teamOf(ctx).id);
  return { status: 200, body: rows.map((row) => aiKeyOut(row)) };
};
