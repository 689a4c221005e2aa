import type { Db } from '../db/core/client';
import { insertWebhook } from '../db/webhooks/webhooks';
import type { WebhookRow } from '../db/webhooks/webhooksTable';
import type { Seal } from '../domain/core/seal';
import { publicId } from '../domain/core/publicId';
import { newSecret, secretHint, type WebhookEventKind, type WebhookFormat } from '../domain/webhooks/webhook';
import { sealWebhookSecret } from '../domain/webhooks/webhookSecret';

/** Creates rows as the operations write them, for tests of background work. */

export interface TestTeam {
  id: number;
  slug: string;
  name: string;
}

export async function insertTeam(db: Db, slug: string): Promise<TestTeam> {
  return db
    .insertInto('teams')
    .values({ public_id: publicId('wks'), slug, name: `Team ${slug}`, wallet_address: `0x${'0'.repeat(40)}` })
    .returning(['id', 'slug', 'name'])
    .executeTakeFirstOrThrow();
}

export async function insertTestWebhook(
  db: Db,
  seal: Seal,
  given: {
    team: TestTeam;
    url: string;
    events?: WebhookEventKind[];
    secret?: string;
    format?: WebhookFormat;
  },
): Promise<{ webhook: WebhookRow; secret: string }> {
  const secret = given.secret ?? newSecret();
  const webhook = await db.transaction().execute((trx) =>
    insertWebhook(trx, {
      public_id: publicId('whk'),
      team_id: given.team.id,
      name: null,
      url: given.url,
      ...(given.format === undefined ? {} : { format: given.format }),
      events: given.events ?? ['cvm.created', 'cvm.deleted'],
      sealed_secret: sealWebhookSecret(seal, secret),
      secret_hint: secretHint(secret),
      created_by: null,
    }),
  );
  return { webhook, secret };
}
