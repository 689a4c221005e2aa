import * as oidc from 'openid-client';
import { OutboundError, type Outbound } from '../net';
import { inspectProvider } from './inspect';
import { OidcError, type OidcClient, type OidcDriver, type OidcExchange, type OidcIdentity } from './index';
import { ownValue } from '../../../console/lib/ownValue';

/** Discovery documents and key sets are a few kB. */
const MAX_BYTES = 262_144;
const TIMEOUT_MS = 8_000;
/** Allowed clock difference, in seconds. */
const CLOCK_TOLERANCE = 30;

export function createOidcDriver(outbound: Outbound): OidcDriver {
  const guarded: oidc.CustomFetch = (url, { method, headers, body, signal }) =>
    outbound.fetch(new URL(url), {
      method,
      headers,
      body: body === null || body === undefined ? undefined : bytesOf(body),
      timeout_ms: TIMEOUT_MS,
      max_bytes: MAX_BYTES,
      signal,
    });

  const discover = async ({ issuer, client_id, client_secret }: OidcClient): Promise<oidc.Configuration> => {
    // The guard decides which addresses may skip https: none, except on a server that is local itself.
    const insecure = new URL(issuer).protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
    const found = await oidc.discovery(new URL(issuer), client_id, undefined, oidc.None(), {
      [oidc.customFetch]: guarded,
      execute: insecure,
    });
    const server = found.serverMetadata();
    const config = new oidc.Configuration(
      server,
      client_id,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE },
      authentication(client_secret, server.token_endpoint_auth_methods_supported),
    );
    config[oidc.customFetch] = guarded;
    config.timeout = TIMEOUT_MS / 1000;
    // Over TLS the standard lets a client trust the ID token without checking; its signature is checked anyway.
    oidc.enableNonRepudiationChecks(config);
    for (const allow of insecure) allow(config);
    return config;
  };

  return {
    async addressRefusal(issuer) {
      try {
        await outbound.check(new URL(issuer));
        return null;
      } catch (error) {
        if (error instanceof OutboundError) return error.message;
        throw error;
      }
    },

    inspect: (issuer) => inspectProvider(outbound, issuer),

    authorizationUrl: (client, { redirect_uri, state, nonce, code_verifier }) =>
      explained(async () => {
        const config = await discover(client);
        const url = oidc.buildAuthorizationUrl(config, {
          redirect_uri,
          scope: 'openid email profile',
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(code_verifier),
          code_challenge_method: 'S256',
        });
        await outbound.check(url);
        return url.href;
      }),

    identify: (client, exchange, answer, claims) =>
      explained(async () => {
        const config = await discover(client);
        const tokens = await oidc.authorizationCodeGrant(config, callbackUrl(exchange, answer), {
          expectedState: exchange.state,
          expectedNonce: exchange.nonce,
          pkceCodeVerifier: exchange.code_verifier,
          idTokenExpected: true,
        });
        const token = tokens.claims();
        if (!token) throw new OidcError('rejected', 'The provider sent no ID token.');
        const missing = ['email', ...claims].some((name) => !Object.hasOwn(token, name));
        const more =
          missing && config.serverMetadata().userinfo_endpoint !== undefined
            ? await oidc.fetchUserInfo(config, tokens.access_token, token.sub)
            : {};
        return identityOf(token.sub, { ...more, ...token });
      }),
  };
}

/** The supported method, preferring Basic: OpenID Connect Core §9 makes it the default. */
function authentication(secret: string | null, supported: string[] | undefined): oidc.ClientAuth {
  if (secret === null) return oidc.None();
  const basic = supported === undefined || supported.includes('client_secret_basic');
  return basic ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret);
}

function callbackUrl({ redirect_uri }: OidcExchange, answer: Readonly<Record<string, string>>): URL {
  const url = new URL(redirect_uri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  return url;
}

function identityOf(subject: string, claims: Record<string, unknown>): OidcIdentity {
  const text = (name: string) => {
    const value = ownValue(claims, name);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
  };
  // Some providers send booleans as text.
  const verified = String(claims.email_verified ?? '');
  return {
    subject,
    email: text('email'),
    email_verified: verified === 'true' ? true : verified === 'false' ? false : null,
    name: text('name') ?? text('preferred_username'),
    claims,
  };
}

const bytesOf = (body: NonNullable<oidc.FetchBody>): string | Uint8Array =>
  body instanceof URLSearchParams || typeof body === 'string'
    ? String(body)
    : body instanceof Uint8Array
      ? body
      : fail('a body that this client never sends');

function fail(what: string): never {
  throw new TypeError(what);
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toOidcError(error);
  }
}

/** Converts the library's errors to our own sentences, because its messages may quote the provider. */
function toOidcError(error: unknown): OidcError {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (at instanceof OidcError) return at;
    if (at instanceof OutboundError) return new OidcError('unreachable', at.message, { cause: error });
  }
  if (error instanceof oidc.AuthorizationResponseError)
    return new OidcError('denied', `The provider canceled the sign-in: ${said(error)}.`, { cause: error });
  if (error instanceof oidc.ResponseBodyError) {
    const ours = error.error === 'invalid_client' || error.error === 'unauthorized_client';
    return new OidcError(
      ours ? 'misconfigured' : 'denied',
      ours
        ? 'The provider rejected the client ID or secret.'
        : `The provider rejected the sign-in: ${said(error)}.`,
      { cause: error },
    );
  }
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { claim?: string } };
  const claim = cause?.claim;
  const known: Record<string, [OidcError['kind'], string]> = {
    OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: [
      'misconfigured',
      "The provider's issuer differs from the one entered.",
    ],
    OAUTH_JWT_CLAIM_COMPARISON_FAILED: [
      'rejected',
      `The ID token is not for this sign-in${claim ? `: its ${claim} is different` : ''}.`,
    ],
    OAUTH_JWT_TIMESTAMP_CHECK_FAILED: ['rejected', 'The ID token is expired, or the clocks differ.'],
    OAUTH_KEY_SELECTION_FAILED: [
      'rejected',
      "The ID token is signed with a key the provider doesn't publish.",
    ],
    OAUTH_WWW_AUTHENTICATE_CHALLENGE: ['misconfigured', 'The provider rejected the client ID or secret.'],
    OAUTH_RESPONSE_IS_NOT_CONFORM: [
      'misconfigured',
      'The provider returned an error or a nonstandard response.',
    ],
    OAUTH_RESPONSE_IS_NOT_JSON: ['misconfigured', "The provider didn't return JSON."],
    OAUTH_PARSE_ERROR: ['misconfigured', "The provider didn't return JSON."],
    OAUTH_MISSING_SERVER_METADATA: ['misconfigured', 'The provider lacks a required endpoint.'],
    OAUTH_INVALID_SERVER_METADATA: ['misconfigured', 'The provider has an unusable endpoint.'],
    OAUTH_HTTP_REQUEST_FORBIDDEN: ['misconfigured', 'The provider has an endpoint without https.'],
    OAUTH_UNSUPPORTED_OPERATION: ['misconfigured', 'The provider uses an unsupported algorithm.'],
  };
  const [kind, message] = ownValue(known, code ?? '') ?? ['rejected', "The provider's response is invalid."];
  return new OidcError(kind, message, { cause: error });
}

/** The provider's own words, short and printable. */
function said({
  error,
  error_description,
}: {
  error: string;
  error_description?: string | undefined;
}): string {
  const text = error_description === undefined ? error : `${error} (${error_description})`;
  return text.replace(/[^\x20-\x7e]/g, ' ').slice(0, 300);
}
