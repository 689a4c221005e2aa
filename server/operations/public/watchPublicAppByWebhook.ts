import { randomBytes } from 'node:crypto';
import { appPagePath } from '../../../console/lib/public/site';
import { addWebhookWatch } from '../../db/public/watchWebhooks';
import type { PublicTrust } from '../../../generated/api/types.gen';
import { Problem } from '../../domain/core/problem';
import { trustOf } from '../../domain/public/publicAppResponse';
import { repeatsChallenge, sealWatchSecret, watchEventBody } from '../../domain/public/watchEvent';
import { ATTEMPT_MS, newEventId, webhookHeaders } from '../../domain/webhooks/webhook';
import { OutboundError } from '../../drivers/net';
import { invalidField } from '../core/invalid';
import type { Context, Handler } from '../types';
import { checkedUrl } from '../webhooks/webhook';
import { publishedApp } from './publicApp';
import { countTarget, visitorReason } from './targets';

/** Bytes; an answer only repeats the challenge. */
const MAX_ANSWER = 4_096;
/** Characters of a stored URL, limited by an index. */
const MAX_URL = 2_048;

const reasonOf = (error: OutboundError): string =>
  visitorReason(
    error,
    'The URL must start with https://, without a user name or password, and its host must have a public address.',
  );

/** The receiver agrees by repeating a random challenge, so nobody can direct requests at someone else's server. */
export const watchPublicAppByWebhook: Handler<'watchPublicAppByWebhook'> = async ({ path, body, ctx }) => {
  const { app } = await publishedApp(ctx, path.app_id);
  const url = await checkedUrl(ctx.visitorNet, body.url, reasonOf);
  if (url.length > MAX_URL) throw invalidField('url', `Enter a URL of at most ${MAX_URL} characters.`);
  await challenge(ctx, {
    url,
    secret: body.secret,
    app_id: app.app_id,
    app_name: app.name,
    trust: trustOf(app.is_simulated),
  });
  await ctx.write(async ({ trx, audit }) => {
    const sealed_secret = sealWatchSecret(ctx.seal, body.secret);
    const added = await addWebhookWatch(trx, { app_id: app.id, app_name: app.name, url, sealed_secret });
    if (added === 'unpublished') throw new Problem('NOT_FOUND');
    if (added === 'full')
      throw new Problem('RATE_LIMITED', {
        message: "This app, or this host, has the maximum number of webhooks. Use the app's feed instead.",
        retryAfter: 86_400,
      });
    await audit({
      action: 'app_watch.add_webhook',
      target_kind: 'app',
      target_id: app.app_id,
      // The rest of the URL may be as sensitive as a password.
      after: { host: new URL(url).host },
    });
  });
  return { status: 204 };
};

interface Challenged {
  url: string;
  secret: string;
  app_id: string;
  app_name: string;
  trust: PublicTrust;
}

/** @throws VALIDATION_FAILED unless the receiver repeats the challenge */
async function challenge(ctx: Context, { url, secret, app_id, app_name, trust }: Challenged): Promise<void> {
  await countTarget(new URL(url).hostname);
  const random = randomBytes(24).toString('base64url');
  const [event_id, event, at] = [newEventId(), 'watch.challenge' as const, new Date()];
  const report_url = ctx.config.publicUrl + appPagePath(app_id);
  const body = watchEventBody(
    { event_id, event, at },
    { app_id, app_name, trust, report_url, challenge: random },
  );
  const answer = await ctx.visitorNet
    .fetch(new URL(url), {
      method: 'POST',
      headers: webhookHeaders({ event_id, event, body, secret, previous: null, at }),
      body,
      timeout_ms: ATTEMPT_MS,
      max_bytes: MAX_ANSWER,
      signal: ctx.signal,
    })
    .catch((error: unknown) => {
      if (error instanceof OutboundError) throw invalidField('url', reasonOf(error));
      throw error;
    });
  if (!answer.ok) throw invalidField('url', `It returned status ${answer.status} for the challenge.`);
  if (!repeatsChallenge(await answer.text(), random))
    throw invalidField('url', "The receiver didn't return the challenge.");
}
