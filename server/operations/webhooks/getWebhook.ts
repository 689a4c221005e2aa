import { webhookOut } from '../../domain/webhooks/webhookResponse';
import type { Handler } from '../types';
import { mayWriteWebhooks, webhookOf } from './webhook';

export const getWebhook: Handler<'getWebhook'> = async ({ path, ctx }) => {
  const body = webhookOut(await webhookOf(ctx, path.webhook_id), { writable: mayWriteWebhooks(ctx) });
  return { status: 200, headers: { ETag: body.etag }, body };
};
