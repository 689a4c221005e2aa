import { webhookOut } from '../../domain/webhooks/webhookResponse';
import type { Handler } from '../types';
import { webhookOf } from './webhook';

export const getWebhook: Handler<'getWebhook'> = async ({ path, ctx }) => {
  const body = webhookOut(await webhookOf(ctx, path.webhook_id));
  return { status: 200, headers: { ETag: body.etag }, body };
};
