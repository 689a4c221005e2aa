import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOidcProvider, type ProviderAccount, type TestProvider } from '../../../testing/oidcProvider';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';
import { arrive, type Arrival } from '../../teams/sso/testing/world';

/** Platform staff single sign-on with a real provider. */

let server: TestServer;
let provider: TestProvider;
let first: TestClient;
beforeAll(async () => {
  // The provider wants the server's address, and the server the provider's.
  server = await startTestServer();
  provider = await startOidcProvider({ redirect_uris: [`${server.url}/api/v1/auth/sso/callback`] });
  configure({});
  first = await server.register();
});
afterAll(async () => {
  await server?.stop();
  await provider?.close();
});

type StaffSso = NonNullable<TestServer['services']['config']['staffSso']>;

function configure(change: Partial<StaffSso> | null) {
  const config = server.services.config as { staffSso: StaffSso | null };
  config.staffSso =
    change === null
      ? null
      : {
          issuer: provider.issuer,
          client_id: provider.client_id,
          client_secret: provider.client_secret,
          name: 'Corp login',
          role_claim: null,
          role_rules: [],
          required: false,
          ...change,
        };
}

const MAPPED = {
  role_claim: 'groups',
  role_rules: [
    { value: 'cloud-admins', role: 'admin' as const },
    { value: 'helpdesk', role: 'support' as const },
  ],
};

async function signIn(account: ProviderAccount | null, next?: string): Promise<Arrival> {
  const { status, body, headers } = await server.anonymous.call('startSso', {
    body: { staff: true, ...(next === undefined ? {} : { next }) },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  const cookie =
    headers
      .getSetCookie()
      .find((one) => one.includes('teehouse_sso='))
      ?.split(';')[0] ?? '';
  if (account) provider.accounts.set(account.sub, account);
  const back = await provider.signIn(
    (body as { authorization_url: string }).authorization_url,
    account?.sub ?? null,
  );
  return arrive(server, back, [cookie]);
}

let count = 0;
const identity = (more: Partial<ProviderAccount> = {}): ProviderAccount & { email: string } => {
  const sub = `staff-${++count}`;
  return { sub, email: `${sub}@corp.test`, email_verified: true, name: 'Grace Hopper', ...more } as never;
};
const userOf = (email: string | null | undefined) =>
  server.services.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email ?? '')
    .executeTakeFirst();
const setRole = (email: string | null | undefined, platform_role: 'support' | 'admin' | null) =>
  server.services.db
    .updateTable('users')
    .set({ platform_role })
    .where('email', '=', email ?? '')
    .execute();
const audited = (target_id: string | undefined) =>
  server.services.db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('target_id', '=', target_id ?? '')
    .orderBy('id')
    .execute();

describe('an account with a platform role', () => {
  it('is linked at the first sign-in and opens the admin area', async () => {
    configure({});
    const staff = await server.register();
    await setRole(staff.email, 'support');
    const me = identity({ email: staff.email! });
    const arrival = await signIn(me);
    expect(arrival).toMatchObject({ status: 302, location: '/admin' });
    expect((await arrival.client!.call('getSession')).body).toMatchObject({
      platform_role: 'support',
      platform_role_refused: null,
      single_sign_on: null,
      features: { staff_sign_on: 'Corp login' },
    });
    expect((await arrival.client!.call('listAdminUsers')).status).toBe(200);
    const user = await userOf(staff.email);
    const actions = (await audited(user?.public_id)).map(({ action }) => action);
    expect(actions).toContain('staff_sso.link');
    expect(actions.at(-1)).toBe('session.create');
    // The session lasts a shift, not two weeks.
    const session = await server.services.db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', user?.id ?? 0)
      .where('auth_method', '=', 'staff_sso')
      .executeTakeFirstOrThrow();
    expect(session.expires_at.getTime() - session.created_at.getTime()).toBeLessThan(12.1 * 3600_000);
  });

  it('gives the session no access to account settings', async () => {
    const staff = await server.register();
    await setRole(staff.email, 'support');
    const { client } = await signIn(identity({ email: staff.email! }));
    expect((await client!.call('getSession')).body.account_settings_refused).toBe('staff_sso');
    expect((await staff.call('getSession')).body.account_settings_refused).toBeNull();
    expect((await client!.call('updateAccount', { body: { username: 'Eve' } })).body).toMatchObject({
      message: expect.stringContaining('account settings'),
    });
  });

  it('reads a team that requires a second factor, as staff and as a member sees it', async () => {
    const member = await server.register();
    const slug = member.slug ?? '';
    await server.services.db
      .updateTable('teams')
      .set({ require_second_factor: true })
      .where('slug', '=', slug)
      .execute();
    const staff = await server.register();
    await setRole(staff.email, 'support');
    const { client } = await signIn(identity({ email: staff.email! }));
    const inTeam = { 'x-admin-workspace': slug, 'x-workspace': slug };
    expect((await client!.with(inTeam).call('listApps')).status).toBe(200);
    // A password alone doesn't.
    expect(await staff.with(inTeam).call('listApps')).toMatchObject({
      status: 403,
      body: { code: 'ERR-00-032' },
    });
    const path = { id: (await userOf(member.email))?.id ?? 0 };
    await client!.call('viewAsAdminUser', { path, body: { reason: 'Ticket 4711', minutes: 5 } });
    expect((await client!.call('getSession')).body.teams).toMatchObject([{ slug, refused: null }]);
    expect((await client!.with({ 'x-workspace': slug }).call('listApps')).status).toBe(200);
  });

  it('keeps its subject: another subject with the same address is refused', async () => {
    const staff = await server.register();
    await setRole(staff.email, 'support');
    await signIn(identity({ email: staff.email! }));
    expect(await signIn(identity({ email: staff.email! }))).toMatchObject({
      location: '/login?sso_error=other_person',
      client: null,
    });
  });
});

describe('refuses', () => {
  it.each([
    ['an unverified address', { email_verified: false }, 'email_unverified'],
    ['an address without a statement', { email_verified: undefined }, 'email_unverified'],
  ])('%s', async (_name, claims, reason) => {
    configure({});
    const staff = await server.register();
    await setRole(staff.email, 'admin');
    const arrival = await signIn(identity({ email: staff.email!, ...claims } as Partial<ProviderAccount>));
    expect(arrival).toMatchObject({ location: `/login?sso_error=${reason}`, client: null });
  });

  it('an ordinary user’s account, even with a group mapped to a role', async () => {
    configure(MAPPED);
    const user = await server.register();
    const arrival = await signIn(identity({ email: user.email!, groups: ['cloud-admins'] }));
    expect(arrival).toMatchObject({ location: '/login?sso_error=not_staff', client: null });
    expect((await userOf(user.email))?.platform_role).toBeNull();
  });

  it('an unknown address without a group, and leaves no account', async () => {
    configure(MAPPED);
    const me = identity({ groups: ['sales'] });
    expect(await signIn(me)).toMatchObject({ location: '/login?sso_error=not_staff' });
    expect(await userOf(me.email)).toBeUndefined();
  });

  it('to start when it isn’t configured', async () => {
    configure(null);
    expect((await server.anonymous.call('startSso', { body: { staff: true } })).status).toBe(404);
    configure({});
  });

  it('a response in a browser that didn’t start it', async () => {
    configure({});
    const { body } = await server.anonymous.call('startSso', { body: { staff: true } });
    const me = identity();
    provider.accounts.set(me.sub, me);
    const back = await provider.signIn((body as { authorization_url: string }).authorization_url, me.sub);
    expect(await arrive(server, back, [])).toMatchObject({ location: '/login?sso_error=expired' });
  });
});

describe('a role claim', () => {
  it('creates accounts for new staff, and removes the role with the group', async () => {
    configure(MAPPED);
    const me = identity({ groups: ['helpdesk'] });
    const arrival = await signIn(me);
    expect(arrival.location).toBe('/admin');
    expect(await userOf(me.email)).toMatchObject({ platform_role: 'support', password_hash: null });
    await signIn({ ...me, groups: ['helpdesk', 'cloud-admins'] });
    expect((await userOf(me.email))?.platform_role).toBe('admin');
    // The earlier session loses the role as well.
    expect((await arrival.client!.call('listAdminUsers')).status).toBe(200);
    expect(await signIn({ ...me, groups: [] })).toMatchObject({
      location: '/login?sso_error=not_staff',
      client: null,
    });
    const user = await userOf(me.email);
    expect(user?.platform_role).toBeNull();
    expect((await arrival.client!.call('listAdminUsers')).status).toBe(403);
    expect(
      (await audited(user?.public_id)).flatMap(({ action, before, after }) =>
        action === 'user.update' ? [[before, after]] : [],
      ),
    ).toEqual([
      [{ platform_role: 'support' }, { platform_role: 'admin', by: provider.issuer }],
      [{ platform_role: 'admin' }, { platform_role: null, by: provider.issuer }],
    ]);
    // The group returns, and so does the role.
    expect(await signIn({ ...me, groups: ['helpdesk'] })).toMatchObject({ location: '/admin' });
  });

  it('leaves the last administrator their role', async () => {
    configure(MAPPED);
    const { db } = server.services;
    await db
      .updateTable('users')
      .set({ platform_role: null })
      .where('platform_role', '=', 'admin')
      .where('email', '<>', first.email ?? '')
      .execute();
    expect(await signIn(identity({ email: first.email!, groups: [] }))).toMatchObject({ location: '/admin' });
    expect((await userOf(first.email))?.platform_role).toBe('admin');
  });
});

describe('when staff SSO is required', () => {
  it('an earlier session has no platform role, and is given the reason', async () => {
    configure({});
    const staff = await server.register();
    await setRole(staff.email, 'admin');
    expect((await staff.call('listAdminUsers')).status).toBe(200);
    const { client } = await signIn(identity({ email: staff.email! }));
    configure({ required: true });
    try {
      expect(await staff.call('listAdminUsers')).toMatchObject({
        status: 403,
        body: { message: 'Your platform role applies only after staff single sign-on.' },
      });
      expect((await staff.call('getSession')).body).toMatchObject({
        platform_role: null,
        platform_role_refused: 'sign_on',
        platform_permissions: [],
      });
      // Staff stay ordinary users of their own teams.
      expect((await staff.call('listCvmsPaginated')).status).toBe(200);
      expect((await client!.call('listAdminUsers')).status).toBe(200);
    } finally {
      configure({});
    }
  });
});
