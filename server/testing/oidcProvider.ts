import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Configuration } from 'oidc-provider';

/** A user of the provider, who signs in by typing `sub`. */
export interface ProviderAccount {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
  groups?: string[];
}

export interface TestProvider {
  issuer: string;
  client_id: string;
  client_secret: string;
  /** By `sub`; change it to change the provider's claims. */
  accounts: Map<string, ProviderAccount>;
  /** Rewrites the claims of the next ID tokens, which are signed again; null changes nothing. */
  tamper: ((claims: Record<string, unknown>) => Record<string, unknown>) | null;
  /** Signs modified tokens with a key that the provider does not publish. */
  foreignKey: boolean;
  /** Acts as a browser at the authorization URL: signs in as `sub` and stops at the redirect back. */
  signIn(authorization_url: string, sub: string | null): Promise<URL>;
  close(): Promise<void>;
}

/** The provider's only client. */
export const CLIENT_ID = 'teehouse';
export const CLIENT_SECRET = 'a secret / with + characters = that need % encoding';

const rsaKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
/** Shared by a process's providers, because creating one takes a third of a second. */
let keys: { key: KeyObject; foreign: KeyObject } | undefined;

/**
 * Starts a real OpenID provider on a local port. `idTokenClaims`: email and groups are in the ID token too, not only
 * in UserInfo.
 */
export async function startOidcProvider({
  redirect_uris,
  port = 0,
  idTokenClaims = false,
  overrides = {},
}: {
  redirect_uris: string[];
  port?: number;
  idTokenClaims?: boolean;
  overrides?: Configuration;
}): Promise<TestProvider> {
  const { key, foreign } = (keys ??= { key: rsaKey(), foreign: rsaKey() });
  const accounts = new Map<string, ProviderAccount>();
  let handle: (req: IncomingMessage, res: ServerResponse) => unknown = (_req, res) =>
    res.writeHead(503).end();
  const server = createServer((req, res) => void handle(req, res));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris }],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' } as never] },
    cookies: { keys: ['only for tests'] },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: !idTokenClaims,
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => {
      const account = accounts.get(sub);
      return account && { accountId: sub, claims: () => ({ ...account }) };
    },
    // Grants every consent, which is between the provider and its users.
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    ...overrides,
  });
  const state: Pick<TestProvider, 'tamper' | 'foreignKey'> = { tamper: null, foreignKey: false };
  const answer = provider.callback();
  handle = (req, res) => {
    if (req.url?.startsWith('/interaction/')) return interact(provider, req, res);
    const { tamper } = state;
    if (req.url === '/token' && tamper) rewriteToken(res, tamper, state.foreignKey ? foreign : key);
    return answer(req, res);
  };

  return Object.assign(state, {
    issuer,
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    accounts,
    signIn: (authorization_url: string, sub: string | null) =>
      walk(new URL(authorization_url), sub, redirect_uris),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** A page with one field and a cancel button. */
async function interact(provider: Provider, req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.method !== 'POST') {
    res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    res.end(`<!doctype html><title>Provider</title><form method="post"><label>Login <input name="login"></label>
      <button name="go" value="1">Continue</button><button name="deny" value="1">Cancel</button></form>`);
    return;
  }
  let body = '';
  for await (const part of req) body += String(part);
  const form = new URLSearchParams(body);
  const result = form.has('deny')
    ? { error: 'access_denied', error_description: 'the user pressed Cancel' }
    : { login: { accountId: form.get('login') ?? '' } };
  await provider.interactionFinished(req, res, result, { mergeWithLastSubmission: false });
}

function rewriteToken(
  res: ServerResponse,
  tamper: NonNullable<TestProvider['tamper']>,
  key: KeyObject,
): void {
  const end = res.end.bind(res) as (body: string) => ServerResponse;
  res.end = ((body: unknown) => {
    const reply = JSON.parse(String(body)) as { id_token?: string };
    if (reply.id_token !== undefined) {
      const [head = '', payload = ''] = reply.id_token.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
      const text = `${head}.${Buffer.from(JSON.stringify(tamper(claims))).toString('base64url')}`;
      reply.id_token = `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
    }
    const out = JSON.stringify(reply);
    res.setHeader('Content-Length', Buffer.byteLength(out));
    return end(out);
  }) as typeof res.end;
}

/** Follows redirects and submits the one form, with cookies, until the relying party's URL. */
async function walk(start: URL, sub: string | null, redirect_uris: string[]): Promise<URL> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let hop = 0; hop < 12; hop++) {
    const form = url.pathname.startsWith('/interaction/');
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(form
        ? {
            method: 'POST',
            body: new URLSearchParams(sub === null ? { deny: '1' } : { login: sub }).toString(),
          }
        : {}),
    });
    for (const cookie of reply.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = reply.headers.get('location');
    if (location === null) throw new Error(`the provider returned ${reply.status}: ${await reply.text()}`);
    url = new URL(location, url);
    if (redirect_uris.some((uri) => url.href.startsWith(`${uri}?`))) return url;
  }
  throw new Error('the provider redirects in a loop');
}
