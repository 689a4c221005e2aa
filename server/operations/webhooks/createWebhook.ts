import { countWebhooks, insertWebhook } from '../../db/webhooks/webhooks';
import { Problem } from '../../domain/core/problem';
import { publicId } from '../../domain/core/publicId';
import { MAX_WEBHOOKS, newSecret, secretHint } from '../../domain/webhooks/webhook';
import { sealWebhookSecret } from '../../domain/webhooks/webhookSecret';
import { webhookOut } from '../../domain/webhooks/webhookResponse';
import { holdTeam, userOf } from '../core/caller';
import type { Handler } from '../types';
import { auditOf, auditView, checkedEvents, checkedUrl, nameOrNull } from './webhook';

export const createWebhook: Handler<'createWebhook'> = async ({ body, ctx }) => {
  const url = await checkedUrl(ctx.webhookNet, body.url);
  const secret = body.secret ?? newSecret();
  return ctx.write(async ({ trx, audit }) => {
    // Locked, so that concurrent requests count each other's webhooks.
    const { team } = await holdTeam(trx, ctx, 'webhooks.write');
    if ((await countWebhooks(trx, team.id)) >= MAX_WEBHOOKS)
      throw new Problem('WEBHOOK_LIMIT', {
        message: `${team.name} has reached the limit of ${MAX_WEBHOOKS} webhooks.`,
      });
    const row = await insertWebhook(trx, {
      public_id: publicId('whk'),
      team_id: team.id,
      name: nameOrNull(body.name),
      url,
      format: body.format ?? 'events',
      events: checkedEvents(body.events),
      sealed_secret: sealWebhookSecret(ctx.seal, secret),
      secret_hint: secretHint(secret),
      created_by: userOf(ctx).id,
    });
    await audit({ ...auditOf(row, 'create'), after: auditView(row) });
    return { status: 201, body: webhookOut(row, { secret }) } as const;
  });
};
