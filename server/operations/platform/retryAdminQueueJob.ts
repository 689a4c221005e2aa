import { sql } from 'kysely';
import { requeueMail } from '../../db/notifications/outbox';
import { requeueDelivery } from '../../db/webhooks/webhookDeliveries';
import type { Handler } from '../types';
import { actOn, changeJob, type Act } from './queueJob';
import { LIVE_OPERATION } from '../../../console/lib/cvms/allowedActions';

const hurryDelivery = changeJob('webhook_deliveries', sql`next_attempt_at = now()`, sql`state = 'pending'`);

const acts: Readonly<Record<string, Act>> = {
  async operation(trx, ctx, id) {
    const row = await trx
      .selectFrom('operations')
      .select('correlation_id')
      .where('id', '=', id)
      .where('state', 'in', LIVE_OPERATION)
      .executeTakeFirst();
    if (row) await ctx.jobs.enqueueOperation(trx, row.correlation_id);
    return row !== undefined;
  },
  async mail(trx, ctx, id) {
    if (ctx.config.smtpUrl === undefined || !(await requeueMail(trx, id))) return false;
    await ctx.jobs.enqueueMail(trx, id);
    return true;
  },
  async delivery(trx, ctx, id) {
    return (await requeueDelivery(trx, id)) !== undefined || hurryDelivery(trx, ctx, id);
  },
  domain: changeJob('domains', sql`next_check_at = now()`),
  notification: changeJob('notifications', sql`mail_due_at = now()`, sql`mail_due_at is not null`),
  chat: changeJob(
    'chat_messages',
    sql`state = 'waiting', attempts = 0, next_attempt_at = now()`,
    sql`state in ('waiting', 'failed')`,
  ),
};

export const retryAdminQueueJob: Handler<'retryAdminQueueJob'> = ({ path, ctx }) =>
  actOn(ctx, path.id, 'retry', acts, ({ can_retry }) => can_retry);
