import { notAllowed, type ContentUrl } from '../../domain/ai/contentUrls';
import { AiError } from '../../domain/ai/aiError';
import { OutboundError } from '../../drivers/net';
import type { Services } from '../../operations/types';

/** How long a host that may be used isn't looked up again. */
const KEPT_MS = 30_000;
const MAX_KEPT = 1_000;
/** Lookups in progress: each has sockets of its own, and waits for servers that a team may run. */
const MAX_LOOKUPS = 200;
const MAX_LOOKUPS_PER_TEAM = 20;

/** Checks the URLs of a team's request. @throws {AiError} 400 for one that no model server may fetch */
export type UrlCheck = (team_id: number, urls: readonly ContentUrl[]) => Promise<void>;

/**
 * Applies the rules for addresses that strangers enter. A model server looks the name up again and may follow
 * redirects, so this keeps requests from naming internal addresses, but doesn't replace a firewall.
 */
export function createUrlCheck({ visitorNet }: Pick<Services, 'visitorNet'>): UrlCheck {
  /** When hosts were found to be allowed. */
  const allowed = new Map<string, number>();
  const lookups = new Map<string, Promise<void>>();
  const ofTeam = new Map<number, number>();

  const lookUp = (team_id: number, url: URL, host: string): Promise<void> => {
    const own = ofTeam.get(team_id) ?? 0;
    if (own >= MAX_LOOKUPS_PER_TEAM || lookups.size >= MAX_LOOKUPS) throw busy();
    ofTeam.set(team_id, own + 1);
    const lookup = visitorNet
      .check(url)
      .then(() => {
        if (allowed.size >= MAX_KEPT) allowed.clear();
        allowed.set(host, performance.now());
      })
      .finally(() => {
        lookups.delete(host);
        const rest = (ofTeam.get(team_id) ?? 1) - 1;
        if (rest === 0) ofTeam.delete(team_id);
        else ofTeam.set(team_id, rest);
      });
    lookups.set(host, lookup);
    return lookup;
  };

  return async (team_id, urls) => {
    await Promise.all(
      urls.map(async ({ url, param }) => {
        const host = `${url.protocol}//${url.hostname}`;
        const since = allowed.get(host);
        if (since !== undefined && performance.now() - since < KEPT_MS) return;
        await (lookups.get(host) ?? lookUp(team_id, url, host)).catch((error: unknown) => {
          throw error instanceof OutboundError ? notAllowed(error.message, param) : error;
        });
      }),
    );
  };
}

const busy = () =>
  new AiError(
    503,
    'server_error',
    'overloaded',
    'The gateway is checking too many URLs. Try again in a moment.',
    { retryAfter: 1 },
  );
