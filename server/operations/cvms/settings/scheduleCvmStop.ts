import type { Handler } from '../../types';
import { scheduleCvm } from './schedule';

export const scheduleCvmStop: Handler<'scheduleCvmStop'> = async ({ path, body, ctx }) => ({
  status: 200,
  body: await scheduleCvm(ctx, path.cvm_id, 'stop', body.scheduled_stop_at),
});
