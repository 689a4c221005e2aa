import { listWebhooks as listRows } from '../../db/webhooks';
import { webhookOut } from '../../domain/wire/webhook';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';

export const listWebhooks: Handler<'listWebhooks'> = async ({ ctx }) => {
  const rows = await listRows(ctx.db, teamOf(ctx).id);
  return { status: 200, body: rows.map((row) => webhookOut(row)) };
};
