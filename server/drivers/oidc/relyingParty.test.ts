import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listOf } from '../../domain/core/outbound';
import { startOidcProvider, type TestProvider } from '../../testing/oidcProvider';
import { createOutbound } from '../net/outbound';
import type { OidcError, OidcExchange } from './index';
import { createOidcDriver } from './relyingParty';

const REDIRECT = 'http://localhost:9/callback';
const outbound = createOutbound({ allow: listOf([]), loopback: true });
const driver = createOidcDriver(outbound);
let provider: TestProvider;

beforeAll(async () => {
  provider = await startOidcProvider({ redirect_uris: [REDIRECT] });
  provider.accounts.set('ada', {
    sub: 'ada',
    email: 'ada@corp.test',
    email_verified: true,
    name: 'Ada',
    groups: ['ops', 'dev'],
  });
});
afterAll(async () => {
  await provider.close();
  await outbound.close();
});

const clientOf = ({ issuer, client_id, client_secret }: TestProvider = provider) => ({
  issuer,
  client_id,
  client_secret,
});
const exchangeOf = (): OidcExchange => {
  const random = () => randomBytes(32).toString('base64url');
  return { redirect_uri: REDIRECT, state: random(), nonce: random(), code_verifier: random() };
};
const answerOf = (url: URL) => Object.fromEntries(url.searchParams);
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing was refused',
    ({ kind, message }: OidcError) => ({ kind, message }),
  );

async function run(change: (exchange: OidcExchange) => Partial<OidcExchange> = () => ({}), at = provider) {
  const exchange = exchangeOf();
  const url = await driver.authorizationUrl(clientOf(at), exchange);
  const back = await at.signIn(url, 'ada');
  return driver.identify(clientOf(at), { ...exchange, ...change(exchange) }, answerOf(back), ['groups']);
}

describe('a sign-in', () => {
  it("sends the verifier's challenge, never the verifier", async () => {
    const exchange = exchangeOf();
    const url = new URL(await driver.authorizationUrl(clientOf(), exchange));
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      scope: 'openid email profile',
      state: exchange.state,
      nonce: exchange.nonce,
      code_challenge_method: 'S256',
      redirect_uri: REDIRECT,
    });
    expect(url.href).not.toContain(exchange.code_verifier);
    expect(url.href).not.toContain(provider.client_secret);
  });

  it('returns the identity, with claims from UserInfo where the ID token lacks them', async () => {
    expect(await run()).toMatchObject({
      subject: 'ada',
      email: 'ada@corp.test',
      email_verified: true,
      name: 'Ada',
      claims: { groups: ['ops', 'dev'], aud: 'teehouse' },
    });
  });

  it('returns the same from a complete ID token', async () => {
    const full = await startOidcProvider({ redirect_uris: [REDIRECT], idTokenClaims: true });
    full.accounts.set('ada', {
      sub: 'ada',
      email: 'ada@corp.test',
      email_verified: 'false',
      groups: ['ops'],
    });
    try {
      expect(await run(undefined, full)).toMatchObject({
        email: 'ada@corp.test',
        email_verified: false,
        claims: { groups: ['ops'] },
      });
    } finally {
      await full.close();
    }
  });

  it('rejects a response to another sign-in', async () => {
    for (const change of [{ state: 'x' }, { nonce: 'x' }, { code_verifier: 'x'.repeat(43) }])
      expect(await refusal(run(() => change))).toMatchObject({
        kind: expect.stringMatching(/rejected|denied/) as string,
      });
  });

  it('rejects a used code', async () => {
    const exchange = exchangeOf();
    const back = await provider.signIn(await driver.authorizationUrl(clientOf(), exchange), 'ada');
    await driver.identify(clientOf(), exchange, answerOf(back), []);
    expect(await refusal(driver.identify(clientOf(), exchange, answerOf(back), []))).toMatchObject({
      kind: 'denied',
    });
  });

  it("rejects another issuer's response (RFC 9207)", async () => {
    const exchange = exchangeOf();
    const back = await provider.signIn(await driver.authorizationUrl(clientOf(), exchange), 'ada');
    expect(back.searchParams.get('iss')).toBe(provider.issuer);
    const answer = { ...answerOf(back), iss: 'https://evil.test' };
    expect(await refusal(driver.identify(clientOf(), exchange, answer, []))).toMatchObject({
      kind: 'rejected',
    });
  });

  it('reports that the user canceled', async () => {
    const exchange = exchangeOf();
    const back = await provider.signIn(await driver.authorizationUrl(clientOf(), exchange), null);
    expect(await refusal(driver.identify(clientOf(), exchange, answerOf(back), []))).toMatchObject({
      kind: 'denied',
      message: expect.stringContaining('access_denied') as string,
    });
  });

  it.each([
    ['for another audience', () => ({ aud: 'somebody-else' })],
    ['of another issuer', () => ({ iss: 'https://evil.test' })],
    ['with another nonce', () => ({ nonce: 'another' })],
    ['that has expired', () => ({ exp: Math.floor(Date.now() / 1000) - 120 })],
    ['without a nonce', () => ({ nonce: undefined })],
  ])('rejects an ID token %s, even with a valid signature', async (_what, change) => {
    provider.tamper = (claims) => ({ ...claims, ...change() });
    try {
      expect(await refusal(run())).toMatchObject({ kind: 'rejected' });
    } finally {
      provider.tamper = null;
    }
  });

  it('rejects an ID token that the provider did not sign', async () => {
    provider.tamper = (claims) => claims;
    try {
      expect(await run()).toMatchObject({ subject: 'ada' });
      provider.foreignKey = true;
      expect(await refusal(run())).toMatchObject({ kind: 'rejected' });
    } finally {
      provider.tamper = null;
      provider.foreignKey = false;
    }
  });

  it('distinguishes a wrong secret from other errors and never repeats it', async () => {
    const exchange = exchangeOf();
    const client = { ...clientOf(), client_secret: 'wrong wrong wrong' };
    const back = await provider.signIn(await driver.authorizationUrl(client, exchange), 'ada');
    const seen = await refusal(driver.identify(client, exchange, answerOf(back), []));
    expect(seen).toMatchObject({
      kind: 'misconfigured',
      message: expect.stringContaining('client ID') as string,
    });
    expect(JSON.stringify(seen)).not.toContain('wrong wrong');
  });

  it('reports an unreachable or changed provider', async () => {
    const gone = await startOidcProvider({ redirect_uris: [REDIRECT] });
    await gone.close();
    expect(await refusal(driver.authorizationUrl(clientOf(gone), exchangeOf()))).toMatchObject({
      kind: 'unreachable',
    });
    const other = { ...clientOf(), issuer: provider.issuer.replace('127.0.0.1', 'localhost') };
    expect(await refusal(driver.authorizationUrl(other, exchangeOf()))).toMatchObject({
      kind: 'misconfigured',
    });
  });
});

describe('inspecting a provider', () => {
  it('passes every step for a working provider', async () => {
    const steps = await driver.inspect(provider.issuer);
    expect(steps.map(({ name, ok }) => [name, ok])).toEqual([
      ['Reachable', true],
      ['Issuer', true],
      ['Endpoints', true],
      ['Keys', true],
      ['PKCE', true],
    ]);
  });

  it('ends at the step that fails', async () => {
    const steps = await driver.inspect(provider.issuer.replace('127.0.0.1', 'localhost'));
    expect(steps.map(({ ok }) => ok)).toEqual([true, false]);
    expect(steps[1]?.detail).toContain(provider.issuer);
  });

  it.each([
    [
      'a redirect',
      (res: import('node:http').ServerResponse) =>
        res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'redirect',
    ],
    ['a page', (res: import('node:http').ServerResponse) => res.end('<html>'), 'JSON'],
    [
      'too much',
      (res: import('node:http').ServerResponse) => res.end(Buffer.alloc(300_000, 32)),
      'more than',
    ],
  ])('limits redirects and reply sizes: %s', async (_what, reply, said) => {
    const server = createServer((_req, res) => void reply(res));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const steps = await driver.inspect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      expect(steps).toEqual([
        { name: 'Reachable', ok: false, detail: expect.stringContaining(said) as string },
      ]);
    } finally {
      server.close();
    }
  });

  it('rejects an internal endpoint named in a document', async () => {
    const server = createServer((req, res) => {
      const issuer = `http://${req.headers.host ?? ''}`;
      res.end(
        JSON.stringify({
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: 'http://169.254.169.254/latest/meta-data',
          jwks_uri: `${issuer}/keys`,
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const steps = await driver.inspect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      expect(steps.at(-1)).toMatchObject({ name: 'Endpoints', ok: false });
      expect(steps.at(-1)?.detail).toContain('169.254.169.254');
    } finally {
      server.close();
    }
  });
});
