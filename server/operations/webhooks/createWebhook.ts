import { countWebhooks, insertWebhook } from '../../db/webhooks';
import { Problem } from '../../domain/problem';
import { publicId } from '../../domain/publicId';
import { MOST_WEBHOOKS, newSecret, secretHint } from '../../domain/webhook';
import { sealWebhookSecret } from '../../domain/webhookSecret';
import { webhookOut } from '../../domain/wire/webhook';
import { holdTeam, personOf } from '../shared/caller';
import type { Handler } from '../types';
import { auditOf, auditView, checkedEvents, checkedUrl, nameOrNull } from './webhook';

export const createWebhook: Handler<'createWebhook'> = async ({ body, ctx }) => {
  const url = await checkedUrl(ctx, body.url);
  const secret = body.secret ?? newSecret();
  return ctx.write(async ({ trx, audit }) => {
    // Held, so that requests side by side count each other's.
    const { team } = await holdTeam(trx, ctx, 'webhooks.write');
    if ((await countWebhooks(trx, team.id)) >= MOST_WEBHOOKS)
      throw new Problem('WEBHOOK_LIMIT', {
        message: `${team.name} has ${MOST_WEBHOOKS} webhooks, the most a team may have.`,
      });
    const row = await insertWebhook(trx, {
      public_id: publicId('whk'),
      team_id: team.id,
      name: nameOrNull(body.name),
      url,
      events: checkedEvents(body.events),
      sealed_secret: sealWebhookSecret(ctx.seal, secret),
      secret_hint: secretHint(secret),
      created_by: personOf(ctx).id,
    });
    await audit({ ...auditOf(row, 'create'), after: auditView(row) });
    return { status: 201, body: webhookOut(row, secret) } as const;
  });
};
