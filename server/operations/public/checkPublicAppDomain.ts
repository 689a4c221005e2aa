import { appPagePath, DOMAIN_FILE } from '../../../console/lib/public/site';
import type { PublicDomainCheck } from '../../../generated/api/types.gen';
import { hasVerifiedDomain } from '../../db/public/publicApps';
import { readDomain } from '../../domain/network/domains';
import { judgeDomainFile, MAX_DOMAIN_FILE } from '../../domain/public/domainFile';
import { OutboundError, type Outbound } from '../../drivers/net';
import { invalidField } from '../core/invalid';
import type { Handler } from '../types';
import { publishedApp } from './publicApp';
import { countTarget, visitorReason } from './targets';

const WAIT_MS = 10_000;

/**
 * Apps serve their domains themselves through a gateway, not this server, so this fetches the file like any
 * client.
 */
export const checkPublicAppDomain: Handler<'checkPublicAppDomain'> = async ({ path, query, ctx }) => {
  const { app } = await publishedApp(ctx, path.app_id);
  const name = readDomain(query.domain);
  if (typeof name === 'string') throw invalidField('domain', name);
  if (name.wildcard) throw invalidField('domain', 'Enter one name, without an asterisk.');
  await countTarget(name.domain);
  const [isVerified, found] = await Promise.all([
    hasVerifiedDomain(ctx.db, app.id, name.domain),
    readDomainFile(ctx.visitorNet, name.domain, {
      app_id: app.app_id,
      report: ctx.config.publicUrl + appPagePath(app.app_id),
      signal: ctx.signal,
    }),
  ]);
  // Otherwise anyone could probe which domains a team has added.
  const is_registered = isVerified && found.result === 'names_this_app';
  return { status: 200, body: { domain: name.domain, is_registered, ...found } };
};

interface Expected {
  app_id: string;
  report: string;
  signal: AbortSignal;
}

/** Fetches a domain's file and compares it with the app; gives the reason if there is no answer. */
export async function readDomainFile(
  net: Pick<Outbound, 'fetch'>,
  domain: string,
  { app_id, report, signal }: Expected,
): Promise<Pick<PublicDomainCheck, 'result' | 'reason'>> {
  const limits = { timeout_ms: WAIT_MS, max_bytes: MAX_DOMAIN_FILE, signal };
  try {
    const answer = await net.fetch(new URL(`https://${domain}${DOMAIN_FILE}`), limits);
    // A redirect could lead to a domain under someone else's control.
    if (answer.status !== 200) return { result: 'no_file', reason: `It returned status ${answer.status}.` };
    return { result: judgeDomainFile(await answer.text(), { app_id, report }), reason: null };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const result = error.kind === 'too_large' ? 'no_file' : 'unreachable';
    return { result, reason: visitorReason(error, 'It has no public address.') };
  }
}
