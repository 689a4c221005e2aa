import { webhookOut } from '../../domain/wire/webhook';
import type { Handler } from '../types';
import { webhookOf } from './webhook';

export const getWebhook: Handler<'getWebhook'> = async ({ path, ctx }) => ({
  status: 200,
  body: webhookOut(await webhookOf(ctx, path.webhook_id)),
});
