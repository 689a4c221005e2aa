import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Session } from '../../../generated/api/types.gen';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startOidcProvider,
  type TestProvider,
} from '../../../server/testing/oidcProvider';
import { freePort } from '../../../server/tools/postgres';
import { withoutStatus } from '../accounts';
import { expect, test, type Browser, type Page } from '../browser';
import { registerOn, startOwnServer, type OwnServer } from '../ownServer';
import { heading } from '../staff';
import { expectAccessible, expectNoSidewaysScroll, newEmail, watchConsole } from '../support';

/* Staff sign in through the operator's provider; while it is down, with a break-glass link. */

test.describe.configure({ mode: 'serial', timeout: 180_000 });

const NAME = 'Corp login';
const REASON = 'The provider is down, INC-7';

let server: OwnServer;
let provider: TestProvider;
/** Address of the server's first user, an administrator. */
let admin = '';

test.beforeAll(async () => {
  // Each needs the other's address. The server contacts the provider only at sign-in.
  const port = await freePort();
  server = await startOwnServer({
    LOCAL_TEEPOD: 'off',
    STAFF_SSO_ISSUER: `http://127.0.0.1:${port}`,
    STAFF_SSO_CLIENT_ID: CLIENT_ID,
    STAFF_SSO_CLIENT_SECRET: CLIENT_SECRET,
    STAFF_SSO_NAME: NAME,
    STAFF_SSO_ROLE_CLAIM: 'groups',
    STAFF_SSO_ROLES: 'cloud-admins=admin,helpdesk=support',
    STAFF_SSO_REQUIRED: 'on',
  });
  provider = await startOidcProvider({ port, redirect_uris: [`${server.url}/api/v1/auth/sso/callback`] });
});
test.afterAll(async () => {
  await server?.stop();
  await provider?.close();
});

/** Opens a new browser context, which neither this server nor the provider knows yet. */
const openPage = async (browser: Browser): Promise<Page> =>
  (await browser.newContext({ baseURL: server.url })).newPage();

const sessionOf = async (page: Page): Promise<Session> =>
  (await (await page.request.get('/api/v1/session')).json()) as Session;

/** Signs in on the provider's page. */
async function passProvider(page: Page, sub: string): Promise<void> {
  await page.getByLabel('Login').fill(sub);
  await page.getByRole('button', { name: 'Continue' }).click();
}

function addAccount(sub: string, email: string, groups: string[]): void {
  provider.accounts.set(sub, { sub, email, email_verified: true, name: sub, groups });
}

async function expectAdminArea(page: Page): Promise<void> {
  await page.waitForURL(`${server.url}/admin`);
  await expect(heading(page)).toBeVisible();
}

/** Checks the page for screen readers and phones. */
async function expectFits(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 720 });
}

test('staff reach the admin area through their provider', async ({ browser }) => {
  const page = await openPage(browser);
  const complaints = watchConsole(page);
  admin = await registerOn(server, page, 'boss');
  addAccount('grace', admin, ['cloud-admins']);

  await test.step('a password session has no platform role, and the admin area says what to do', async () => {
    await page.goto('/admin');
    await expect(heading(page)).toHaveText(`Sign in with ${NAME}`);
    await expect(page.getByText('Your platform role applies only after staff single sign-on.')).toBeVisible();
    await expectFits(page);
  });

  await test.step('the provider leads back to the admin area', async () => {
    await page.getByRole('button', { name: NAME }).click();
    await passProvider(page, 'grace');
    await expectAdminArea(page);
    expect(await sessionOf(page)).toMatchObject({
      user: { email: admin },
      platform_role: 'admin',
      platform_role_refused: null,
    });
    await expect(page.getByRole('region', { name: 'Announcements' })).toHaveCount(0);
  });

  await test.step('account settings are read-only, and say why', async () => {
    const why = page.getByText(`You signed in with ${NAME}, which covers your platform role`);
    await page.goto('/account/settings');
    await expect(why).toBeVisible();
    await expect(page.getByLabel('Your name')).toBeDisabled();
    await expect(page.getByLabel('New address')).toBeDisabled();
    await expectFits(page);
    // The page doesn't request what the session may not read.
    await page.goto('/account/settings?section=sessions');
    await expect(why).toBeVisible();
    await expect(page.getByRole('region', { name: 'Active sessions' })).toHaveCount(0);
    await page.goto('/account/settings?section=notifications');
    await expect(page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible();
    await expect(why).toHaveCount(0);
  });
  expect(complaints).toEqual([]);
  await page.context().close();
});

test('the sign-in page offers the provider', async ({ browser }) => {
  const page = await openPage(browser);
  const complaints = watchConsole(page);
  addAccount('lin', newEmail('lin'), ['helpdesk']);

  await test.step('new staff get an account and the role of their group', async () => {
    await page.goto('/admin');
    await page.waitForURL(/\/login\?next=/);
    await expect(page.getByRole('button', { name: NAME })).toBeVisible();
    await expectFits(page);
    await page.getByRole('button', { name: NAME }).click();
    await passProvider(page, 'lin');
    await expectAdminArea(page);
    expect(await sessionOf(page)).toMatchObject({ platform_role: 'support' });
  });

  await test.step('users without a group see why they weren’t signed in', async () => {
    addAccount('sam', newEmail('sam'), ['sales']);
    const other = await openPage(browser);
    await other.goto('/login');
    await other.getByRole('button', { name: NAME }).click();
    await passProvider(other, 'sam');
    await other.waitForURL(/\/login\?sso_error=not_staff/);
    await expect(other.getByText('Your account has no platform role on this server.')).toBeVisible();
    await expectAccessible(other);
    expect((await sessionOf(other)).user).toBeNull();
    await other.context().close();
  });
  expect(complaints).toEqual([]);
  await page.context().close();
});

/** Issues a link on the server, like the operator does. */
async function issueLink(): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['dist/server/cli.js', 'break-glass', '--email', admin, '--reason', REASON],
    { env: { PATH, HOME, DATA_DIR: server.dataDir, PUBLIC_URL: server.url } },
  );
  return stdout.trim();
}

test('a break-glass link opens the admin area, which says so', async ({ browser }) => {
  const page = await openPage(browser);
  const other = await openPage(browser);
  const complaints = [watchConsole(page), watchConsole(other)];
  const link = await issueLink();
  const notice = (at: Page) => at.getByRole('region', { name: 'Announcements' }).getByRole('note');

  await test.step('other staff have the admin area open', async () => {
    await other.goto('/login');
    await other.getByRole('button', { name: NAME }).click();
    await passProvider(other, 'lin');
    await expectAdminArea(other);
    // Only now: a click is sometimes lost on a page that loads with a replaced clock.
    await other.clock.install();
    await other.reload();
    await expectAdminArea(other);
    await expect(notice(other)).toHaveCount(0);
  });

  await test.step('opening the link explains it and doesn’t use it up', async () => {
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Break-glass sign-in' })).toBeVisible();
    await expect(page.getByText(/for one hour\. All administrators are notified by email/)).toBeVisible();
    await expectFits(page);
    await page.reload();
    expect((await sessionOf(page)).user).toBeNull();
  });

  await test.step('confirming it opens the admin area, with a banner', async () => {
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expectAdminArea(page);
    const { user, platform_role, break_glass } = await sessionOf(page);
    expect([user?.email, platform_role, break_glass.length]).toEqual([admin, 'admin', 1]);
    await expect(notice(page)).toContainText(`Break-glass session: ${user?.username}`);
    await expect(notice(page)).toContainText(`Reason: ${REASON}`);
    await expect(notice(page)).toContainText(/Ends in (1 h|\d+ min)/);
    await expect(notice(page).locator('time')).toHaveAttribute('datetime', break_glass[0]?.ends_at ?? '');
    await expectFits(page);
  });

  await test.step('the others see it within a minute, without reloading', async () => {
    await other.clock.fastForward('01:01');
    await expect(notice(other)).toContainText(REASON);
  });

  await test.step('the link works once', async () => {
    const late = await openPage(browser);
    complaints.push(watchConsole(late));
    await late.goto(link);
    await late.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(late.getByRole('main').getByText('Couldn’t sign in')).toBeVisible();
    await expectAccessible(late);
    expect((await sessionOf(late)).user).toBeNull();
    await late.context().close();
  });

  await test.step('the banner disappears with the session', async () => {
    // An open page would notice that its session has ended, and open the sign-in page.
    await page.goto('about:blank');
    const ended = await page.request.delete('/api/v1/auth/session', { headers: { Origin: server.url } });
    expect(ended.ok()).toBe(true);
    await other.reload();
    await expect(heading(other)).toBeVisible();
    await expect(notice(other)).toHaveCount(0);
  });
  expect(withoutStatus(complaints.flat(), 404)).toEqual([]);
  await page.context().close();
  await other.context().close();
});
