import { listWebhooks as listRows } from '../../db/webhooks/webhooks';
import { webhookOut } from '../../domain/webhooks/webhookResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { mayWriteWebhooks } from './webhook';

export const listWebhooks: Handler<'listWebhooks'> = async ({ ctx }) => {
  const rows = await listRows(ctx.db, teamOf(ctx).id);
  const writable = mayWriteWebhooks(ctx);
  return { status: 200, body: rows.map((row) => webhookOut(row, { writable })) };
};
