import type { TeepodRow } from '../../db/hosts/teepodsTable';
import type { Context } from '../types';
import { invalid } from '../core/invalid';

type Held = Pick<TeepodRow, 'credential_kind' | 'sealed_credential'>;

/** Stands for a credential in audit entries. */
export const MASK = '•••';

/**
 * Returns kind and credential after a change. `credential` undefined keeps the current one, null removes it.
 * The plain text ends here: only this server can open what is stored.
 */
export function nextCredential(
  ctx: Pick<Context, 'seal'>,
  held: Held,
  given: { credential_kind?: Held['credential_kind'] | undefined; credential?: string | null | undefined },
): Held {
  const { credential } = given;
  const kind = given.credential_kind ?? (credential === null ? 'none' : held.credential_kind);
  if (kind === 'none') {
    if (typeof credential === 'string' && credential !== '')
      throw invalid('credential_kind', 'Choose whether the credential is a bearer token or user:password.');
    return { credential_kind: 'none', sealed_credential: null };
  }
  if (credential === null || credential === '')
    throw invalid('credential', 'Enter a credential, or set the kind to none.');
  if (credential === undefined) {
    if (held.sealed_credential === null || held.credential_kind !== kind)
      throw invalid('credential', 'Enter the credential together with its kind.');
    return { credential_kind: kind, sealed_credential: held.sealed_credential };
  }
  // RFC 7617 §2: the user name ends at the first colon.
  if (kind === 'basic' && !credential.includes(':'))
    throw invalid('credential', 'A basic credential is user:password.');
  if (/[\u0000-\u001f\u007f]/.test(credential))
    throw invalid('credential', "A credential can't contain line breaks or control characters.");
  return { credential_kind: kind, sealed_credential: ctx.seal.seal('teepod-credential', credential) };
}

/**
 * A credential belongs to the host it was entered for: sent to a new address it would leak to that server, and
 * anyone who may change addresses could read a credential the API never shows.
 * @throws VALIDATION_FAILED if the host changes and the credential isn't entered again
 */
export function checkMoved(
  held: Held & { url: string },
  after: { url?: string | undefined; credential?: string | null | undefined; kept: Held },
): void {
  const { url = held.url, credential, kept } = after;
  if (kept.sealed_credential === null || typeof credential === 'string' || hostOf(url) === hostOf(held.url))
    return;
  throw invalid('credential', `Enter it again. The stored one is for ${hostOf(held.url)}.`);
}

/** Returns the server's identity: scheme, name and port, or the socket path. */
export const hostOf = (url: string) =>
  /^https?:/.test(url) && URL.canParse(url) ? new URL(url).origin : url.replace(/(\.sock):.*$/, '$1');
