import { mkdtemp, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOfStep } from '../../../domain/accounts/totp';
import { commandLine, type CliRun } from '../../../testing/commandLine';
import { sessionCookieOf, startTestServer, type TestClient, type TestServer } from '../../../testing/server';
import { cookiesOf, forgetSteps, nowStep, setUpTotp } from '../../../testing/signIn';

/** Break-glass links, with staff single sign-on required and its provider unreachable. */

let server: TestServer;
let dataDir: string;
let admin: TestClient;
let teehouse: (argv: string[]) => Promise<CliRun>;
beforeAll(async () => {
  server = await startTestServer({
    env: {
      STAFF_SSO_ISSUER: 'https://id.example.test',
      STAFF_SSO_CLIENT_ID: 'teehouse',
      STAFF_SSO_REQUIRED: 'on',
    },
  });
  dataDir = await mkdtemp('/tmp/teehouse-break-glass-');
  teehouse = commandLine({ DATABASE_URL: server.database.url, DATA_DIR: dataDir }, () => undefined);
  admin = await server.register();
});
afterAll(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const REASON = 'The provider is down, INC-7';
const issue = async (email = admin.email ?? '', reason = REASON) =>
  teehouse(['break-glass', '--email', email, '--reason', reason]);
async function token(reason = REASON): Promise<string> {
  const { code, out, err } = await issue(undefined, reason);
  expect(code, err.join()).toBe(0);
  return /\/login#break-glass=(thk_lnk_\w+)$/.exec(out[0] ?? '')?.[1] ?? '';
}
const open = (link: string) => server.anonymous.call('createBreakGlassSession', { body: { token: link } });
const withSession = (headers: Headers) =>
  server.anonymous.with({ cookie: sessionCookieOf({ headers }) ?? '' });

it('opens one session with the role for an hour, visible to others', async () => {
  expect((await admin.call('listAdminUsers')).status).toBe(403);
  const link = await token();
  const opened = await open(link);
  expect(opened).toMatchObject({ status: 201, body: { platform_role: 'admin' } });
  const client = withSession(opened.headers);
  expect((await client.call('listAdminUsers')).status).toBe(200);
  const { break_glass, account_settings_refused } = (await client.call('getSession')).body;
  expect(break_glass).toMatchObject([{ reason: REASON }]);
  expect(account_settings_refused).toBe('break_glass');
  const left = Date.parse(break_glass[0]!.ends_at) - Date.now();
  expect(left).toBeLessThanOrEqual(3600_000);
  // Users whose role isn't in effect don't see the session.
  expect((await admin.call('getSession')).body.break_glass).toEqual([]);
  expect((await client.call('updateAccount', { body: { username: 'Eve' } })).status).toBe(403);
  expect(await open(link)).toMatchObject({ status: 404, body: { error_code: 'ERR-00-035' } });

  const { db } = server.services;
  const audits = await db.selectFrom('audit_log').selectAll().orderBy('id').execute();
  expect(audits.find(({ action }) => action === 'break_glass.issue')).toMatchObject({
    actor_kind: 'cli',
    after: { reason: REASON },
  });
  expect(audits.findLast(({ action }) => action === 'session.create')).toMatchObject({
    after: { method: 'break_glass', reason: REASON },
  });
  expect(JSON.stringify(audits)).not.toContain(link);
  const mails = await db
    .selectFrom('outbox')
    .selectAll()
    .where('template', '=', 'break_glass_used')
    .execute();
  expect(mails).toHaveLength(1);

  await client.call('deleteSession');
  const again = withSession((await open(await token())).headers);
  expect((await again.call('getSession')).body.break_glass).toHaveLength(1);
});

it('works once under concurrent use', async () => {
  const link = await token();
  const answers = await Promise.all(Array.from({ length: 5 }, () => open(link)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404, 404]);
});

it('expires, and is void for a user who is no longer an administrator', async () => {
  const { db } = server.services;
  const late = await token();
  await db
    .updateTable('break_glass_links')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('used_at', 'is', null)
    .execute();
  expect((await open(late)).status).toBe(404);
  const link = await token();
  const role = (platform_role: 'admin' | 'support') =>
    db
      .updateTable('users')
      .set({ platform_role })
      .where('email', '=', admin.email ?? '')
      .execute();
  await role('support');
  expect((await open(link)).status).toBe(404);
  expect(await issue()).toMatchObject({ code: 1, err: [expect.stringContaining('administrator')] });
  await role('admin');
  // The refusal didn't use up the link.
  expect((await open(link)).status).toBe(201);
});

it('requires an account and a reason', async () => {
  expect(await issue('nobody@example.test')).toMatchObject({ code: 1 });
  expect(await teehouse(['break-glass', '--email', admin.email ?? ''])).toMatchObject({ code: 2 });
});

it('still requires the second factor, and shows each session with its own link’s reason', async () => {
  const { secret } = await setUpTotp(server, admin);
  const enter = async (reason: string) => {
    const asked = await open(await token(reason));
    expect(asked.status).toBe(202);
    const browser = server.anonymous.with({ cookie: cookiesOf(asked) });
    expect((await browser.call('getSession')).body).toMatchObject({ user: null, break_glass: [] });
    const code = codeOfStep(secret, nowStep());
    const opened = await browser.call('completeSecondFactor', { body: { method: 'totp', code } });
    expect(opened).toMatchObject({ status: 201, body: { platform_role: 'admin' } });
    await forgetSteps(server);
    return withSession(opened.headers);
  };
  await enter('First outage');
  const client = await enter('Second outage');
  const { break_glass } = (await client.call('getSession')).body;
  expect(break_glass.slice(0, 2).map(({ reason }) => reason)).toEqual(['Second outage', 'First outage']);
  for (const { ends_at } of break_glass)
    expect(Date.parse(ends_at) - Date.now()).toBeLessThanOrEqual(3600_000);
});
