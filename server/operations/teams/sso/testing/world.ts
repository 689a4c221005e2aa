import type { PutSso } from '../../../../../generated/api/types.gen';
import { startDnsServer, type TestDns } from '../../../../testing/dnsServer';
import { startOidcProvider, type ProviderAccount, type TestProvider } from '../../../../testing/oidcProvider';
import {
  sessionCookieOf,
  startTestServer,
  type TestClient,
  type TestServer,
} from '../../../../testing/server';

/** A browser returning from the provider. */
export interface Arrival {
  status: number;
  location: string;
  /** Set-Cookie values. */
  set: string[];
  /** A client with the session, if one was opened. */
  client: TestClient | null;
}

export interface SsoWorld {
  server: TestServer;
  dns: TestDns;
  provider: TestProvider;
  /** Creates an owner and a team with a connection for its own domain. */
  team(change?: Partial<PutSso> & { verify?: boolean }): Promise<SsoTeam>;
  stop(): Promise<void>;
}

export interface SsoTeam {
  owner: TestClient;
  slug: string;
  domain: string;
  put(change?: Partial<PutSso>): ReturnType<TestClient['call']>;
  publish(): Promise<void>;
  /** @param account the provider's claims about the user from now on; null if the user cancels there */
  signIn(account: ProviderAccount | null, options?: SignInOptions): Promise<Arrival>;
  /** Returns the user's role in the team, or null. */
  role(email: string): Promise<string | null>;
}

interface SignInOptions {
  next?: string;
  /** The client whose browser signs in. */
  from?: TestClient;
}

export async function startSsoWorld(env: Record<string, string> = {}): Promise<SsoWorld> {
  const dns = await startDnsServer();
  const server = await startTestServer({ env: { DNS_SERVERS: dns.address, ...env } });
  const provider = await startOidcProvider({ redirect_uris: [`${server.url}/api/v1/auth/sso/callback`] });
  let count = 0;
  return {
    server,
    dns,
    provider,
    async team({ verify = true, ...change } = {}) {
      const owner = await server.register();
      const slug = owner.slug ?? '';
      const domain = change.domain ?? `corp${++count}.test`;
      const put = (more: Partial<PutSso> = {}) =>
        owner.call('putSso', {
          path: { slug },
          body: {
            issuer: provider.issuer,
            client_id: provider.client_id,
            client_secret: provider.client_secret,
            domain,
            enforced: false,
            default_role: 'viewer',
            role_claim: null,
            role_rules: [],
            ...change,
            ...more,
          },
        });
      const kept = await put({ enforced: false });
      if (kept.status !== 200)
        throw new Error(`putSso answered ${kept.status}: ${JSON.stringify(kept.body)}`);
      const publish = async () => {
        const { body } = await owner.call('getSso', { path: { slug } });
        dns.txt.set(body.connection?.txt_name ?? '', [[body.connection?.txt_value ?? '']]);
      };
      if (verify) {
        await publish();
        const checked = await owner.call('verifySsoDomain', { path: { slug } });
        if (checked.status !== 200) throw new Error(`not verified: ${JSON.stringify(checked.body)}`);
        if (change.enforced) await put();
      }
      return {
        owner,
        slug,
        domain,
        put,
        publish,
        async signIn(account, { next, from = server.anonymous } = {}) {
          const begun = await begin(from, slug, next);
          if (account) provider.accounts.set(account.sub, account);
          const back = await provider.signIn(begun.url, account?.sub ?? null);
          return arrive(server, back, [from.cookie, begun.cookie]);
        },
        async role(email) {
          const row = await server.services.db
            .selectFrom('memberships as m')
            .innerJoin('users as u', 'u.id', 'm.user_id')
            .innerJoin('teams as t', 't.id', 'm.team_id')
            .select('m.role')
            .where('u.email', '=', email)
            .where('t.slug', '=', slug)
            .executeTakeFirst();
          return row?.role ?? null;
        },
      };
    },
    async stop() {
      await server.stop();
      await provider.close();
      await dns.close();
    },
  };
}

/** Starts a sign-in; returns the provider's URL and the cookie that binds it to the browser. */
export async function begin(from: TestClient, slug: string, next?: string) {
  const { status, body, headers } = await from.call('startSso', {
    body: { team_slug: slug, ...(next === undefined ? {} : { next }) },
  });
  if (status !== 200) throw new Error(`startSso answered ${status}: ${JSON.stringify(body)}`);
  const set = headers.getSetCookie().find((one) => one.includes('teehouse_sso=')) ?? '';
  return {
    url: (body as { authorization_url: string }).authorization_url,
    set,
    cookie: set.split(';')[0] ?? '',
  };
}

/** Confirms a pending link from `own`, the account's session in the same browser. */
export function confirmLink(own: TestClient, { set }: Pick<Arrival, 'set'>) {
  const link = set.find((one) => one.includes('teehouse_sso_link='))?.split(';')[0] ?? '';
  return own.with({ cookie: `${own.cookie ?? ''}; ${link}` }).call('confirmSsoLink');
}

/** Requests the callback URL as the browser does, with these cookies. */
export async function arrive(server: TestServer, back: URL, cookies: (string | null)[]): Promise<Arrival> {
  const reply = await fetch(`${server.address}${back.pathname}${back.search}`, {
    redirect: 'manual',
    headers: { cookie: cookies.filter((one) => one !== null).join('; ') },
  });
  const cookie = sessionCookieOf({ headers: reply.headers });
  return {
    status: reply.status,
    location: reply.headers.get('location') ?? '',
    set: reply.headers.getSetCookie(),
    client: cookie === null ? null : server.anonymous.with({ cookie }),
  };
}
