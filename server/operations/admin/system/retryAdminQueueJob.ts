import { sql } from 'kysely';
import { requeueMail } from '../../../db/outbox';
import { requeueDelivery } from '../../../db/webhookDeliveries';
import type { Handler } from '../../types';
import { actOn, type Act } from './queueJob';

const now = sql<Date>`now()`;
const done = ({ numUpdatedRows }: { numUpdatedRows: bigint }) => numUpdatedRows > 0n;

const acts: Readonly<Record<string, Act>> = {
  async operation(trx, ctx, id) {
    const row = await trx
      .selectFrom('operations')
      .select('correlation_id')
      .where('id', '=', id)
      .where('state', 'in', ['queued', 'running'])
      .executeTakeFirst();
    if (row) await ctx.jobs.enqueueOperation(trx, row.correlation_id);
    return row !== undefined;
  },
  async mail(trx, ctx, id) {
    if (ctx.config.smtpUrl === undefined || !(await requeueMail(trx, id))) return false;
    await ctx.jobs.enqueueMail(trx, id);
    return true;
  },
  async delivery(trx, _ctx, id) {
    if (await requeueDelivery(trx, id)) return true;
    const waiting = trx.updateTable('webhook_deliveries').set({ next_attempt_at: now });
    return done(await waiting.where('id', '=', id).where('state', '=', 'pending').executeTakeFirstOrThrow());
  },
  domain: async (trx, _ctx, id) =>
    done(
      await trx
        .updateTable('domains')
        .set({ next_check_at: now })
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    ),
  notification: async (trx, _ctx, id) =>
    done(
      await trx
        .updateTable('notifications')
        .set({ mail_due_at: now })
        .where('id', '=', id)
        .where('mail_due_at', 'is not', null)
        .executeTakeFirstOrThrow(),
    ),
  chat: async (trx, _ctx, id) =>
    done(
      await trx
        .updateTable('chat_messages')
        .set({ state: 'waiting', attempts: 0, next_attempt_at: now })
        .where('id', '=', id)
        .where('state', 'in', ['waiting', 'failed'])
        .executeTakeFirstOrThrow(),
    ),
};

export const retryAdminQueueJob: Handler<'retryAdminQueueJob'> = ({ path, ctx }) =>
  actOn(ctx, path.id, 'retry', acts, ({ can_retry }) => can_retry);
