import type { Handler } from '../../types';
import { scheduleCvm } from './schedule';

export const scheduleCvmDelete: Handler<'scheduleCvmDelete'> = async ({ path, body, ctx }) => ({
  status: 200,
  body: await scheduleCvm(ctx, path.cvm_id, 'delete', body.scheduled_delete_at),
});
