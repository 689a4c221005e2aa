import { createWebhook } from './createWebhook';
import { deleteWebhook } from './deleteWebhook';
import { getWebhook } from './getWebhook';
import { getWebhookStats } from './getWebhookStats';
import { listWebhookDeliveries } from './listWebhookDeliveries';
import { listWebhooks } from './listWebhooks';
import { resendWebhookDelivery } from './resendWebhookDelivery';
import { revealWebhookSecret } from './revealWebhookSecret';
import { rotateWebhookSecret } from './rotateWebhookSecret';
import { testWebhook } from './testWebhook';
import { updateWebhook } from './updateWebhook';

export const webhooksHandlers = {
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookStats,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhookDelivery,
  revealWebhookSecret,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
};
