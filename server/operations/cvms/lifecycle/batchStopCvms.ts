import type { BatchStopItem } from '../../../../generated/api/types.gen';
import { Problem } from '../../../domain/core/problem';
import type { Context, Handler } from '../../types';
import { changeCvm } from '../settings/change';

/**
 * Stops each CVM separately, so that a busy one doesn't block the others. Duplicates are stopped
 * once.
 */
export const batchStopCvms: Handler<'batchStopCvms'> = async ({ body, ctx }) => {
  const results: BatchStopItem[] = [];
  for (const cvm_id of new Set(body.cvm_ids)) results.push(await stop(ctx, cvm_id));
  const accepted = results.filter((one) => one.correlation_id !== null).length;
  return { status: 200, body: { results, accepted, refused: results.length - accepted } };
};

async function stop(ctx: Context, cvm_id: string): Promise<BatchStopItem> {
  try {
    return await changeCvm(ctx, {
      cvm_id,
      type: 'stop',
      reply: (_row, { correlation_id }) => ({ cvm_id, correlation_id, error_code: null, message: null }),
    });
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return { cvm_id, correlation_id: null, error_code: error.code, message: error.message };
  }
}
