import { hostOf } from '../credential';
import { invalid } from '../../core/invalid';
import type { Context } from '../../types';

interface Held {
  url: string | null;
  sealed_credential: string | null;
}

/**
 * Returns address and sealed token after a change; undefined keeps each. The plain text ends here. A token is
 * sent only to the server it was entered for.
 */
export function nextHeld(
  ctx: Pick<Context, 'seal'>,
  held: Held,
  given: { url?: string | null | undefined; credential?: string | null | undefined },
): Held {
  const { url = held.url, credential } = given;
  if (typeof credential === 'string') {
    if (url === null) throw invalid('url', 'Enter the address for this token.');
    // eslint-disable-next-line no-control-regex
    if (/[\u0000-\u001f\u007f]/.test(credential))
      throw invalid('credential', "A token can't contain line breaks or control characters.");
    return { url, sealed_credential: ctx.seal.seal('gateway-credential', credential) };
  }
  if (credential === null || url === null) return { url, sealed_credential: null };
  if (held.sealed_credential !== null && held.url !== null && hostOf(url) !== hostOf(held.url))
    throw invalid('credential', `Enter it again. The stored one is for ${hostOf(held.url)}.`);
  return { url, sealed_credential: held.sealed_credential };
}
