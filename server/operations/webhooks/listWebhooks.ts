import { listWebhooks as listRows } from '../../db/webhooks/webhooks';
import { webhookOut } from '../../domain/webhooks/webhookResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const listWebhooks: Handler<'listWebhooks'> = async ({ ctx }) => {
  const rows = await listRows(ctx.db, teamOf(ctx).id);
  return { status: 200, body: rows.map((row) => webhookOut(row)) };
};
