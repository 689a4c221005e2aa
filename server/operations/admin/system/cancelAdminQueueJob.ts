import { sql } from 'kysely';
import { cancelOperationRow } from '../../../db/cancelling';
import { lockOperation } from '../../activity/cancel';
import { personOf } from '../../shared/caller';
import type { Handler } from '../../types';
import { actOn, type Act } from './queueJob';

const now = sql<Date>`now()`;
const done = ({ numUpdatedRows }: { numUpdatedRows: bigint }) => numUpdatedRows > 0n;

const acts: Readonly<Record<string, Act>> = {
  async operation(trx, ctx, id) {
    const found = await trx.selectFrom('operations').select('cvm_id').where('id', '=', id).executeTakeFirst();
    if (!found) return false;
    const held = await lockOperation(trx, { operation: id, cvm: found.cvm_id });
    const { deletion } = await cancelOperationRow(trx, { ...held, user_id: personOf(ctx).id });
    if (deletion) await ctx.jobs.enqueueOperation(trx, deletion.correlation_id);
    return true;
  },
  mail: async (trx, _ctx, id) =>
    done(
      await trx
        .updateTable('outbox')
        .set({ state: 'failed', next_attempt_at: null, last_error: 'Cancelled by an administrator.' })
        .where('id', '=', id)
        .where('state', '=', 'queued')
        .executeTakeFirstOrThrow(),
    ),
  delivery: async (trx, _ctx, id) =>
    done(
      await trx
        .updateTable('webhook_deliveries')
        .set({ state: 'cancelled', next_attempt_at: null, finished_at: now })
        .where('id', '=', id)
        .where('state', '=', 'pending')
        .executeTakeFirstOrThrow(),
    ),
  notification: async (trx, _ctx, id) =>
    done(
      await trx
        .updateTable('notifications')
        .set({ mail_due_at: null })
        .where('id', '=', id)
        .where('mail_due_at', 'is not', null)
        .executeTakeFirstOrThrow(),
    ),
  chat: async (trx, _ctx, id) =>
    done(
      await trx
        .updateTable('chat_messages')
        .set({ state: 'failed', next_attempt_at: null, last_error: 'Cancelled by an administrator.' })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .executeTakeFirstOrThrow(),
    ),
  bulk: async (trx, _ctx, id) =>
    done(
      await trx
        .updateTable('admin_bulk_jobs')
        .set({ cancel_requested_at: now })
        .where('id', '=', id)
        .where('cancel_requested_at', 'is', null)
        .executeTakeFirstOrThrow(),
    ),
};

export const cancelAdminQueueJob: Handler<'cancelAdminQueueJob'> = ({ path, ctx }) =>
  actOn(ctx, path.id, 'cancel', acts, ({ can_cancel }) => can_cancel);
