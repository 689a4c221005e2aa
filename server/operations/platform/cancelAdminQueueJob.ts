import { sql } from 'kysely';
import { requestCancel } from '../../db/platform/adminBulkJobs';
import { cancelOperationRow } from '../../db/activity/cancelling';
import { CANCELED } from '../../domain/platform/queueTexts';
import { lockOperation } from '../activity/cancel';
import { userOf } from '../core/caller';
import type { Handler } from '../types';
import { actOn, changeJob, type Act } from './queueJob';

const acts: Readonly<Record<string, Act>> = {
  async operation(trx, ctx, id) {
    const found = await trx.selectFrom('operations').select('cvm_id').where('id', '=', id).executeTakeFirst();
    if (!found) return false;
    const held = await lockOperation(trx, { operation: id, cvm: found.cvm_id });
    const { deletion } = await cancelOperationRow(trx, { ...held, user_id: userOf(ctx).id });
    if (deletion) await ctx.jobs.enqueueOperation(trx, deletion.correlation_id);
    return true;
  },
  mail: changeJob(
    'outbox',
    sql`state = 'failed', next_attempt_at = null, last_error = ${CANCELED}`,
    sql`state = 'queued'`,
  ),
  delivery: changeJob(
    'webhook_deliveries',
    sql`state = 'cancelled', next_attempt_at = null, finished_at = now()`,
    sql`state = 'pending'`,
  ),
  notification: changeJob('notifications', sql`mail_due_at = null`, sql`mail_due_at is not null`),
  chat: changeJob(
    'chat_messages',
    sql`state = 'failed', next_attempt_at = null, last_error = ${CANCELED}`,
    sql`state = 'waiting'`,
  ),
  bulk: (trx, _ctx, id) => requestCancel(trx, id),
};

export const cancelAdminQueueJob: Handler<'cancelAdminQueueJob'> = ({ path, ctx }) =>
  actOn(ctx, path.id, 'cancel', acts, ({ can_cancel }) => can_cancel);
