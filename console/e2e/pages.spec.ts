import { expect, test, type Page } from './browser';
import {
  deployApp,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  PASSWORD,
  registerInBrowser,
  registerUser,
  signIn,
  watchConsole,
} from './support';
import { openAside } from './walk';

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: sh -c 'while true; do date; sleep 1; done'
`;

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const nothing = (page: Page) => heading(page, 'Page not found');
const breadcrumb = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem');
/** Drops the browser's log lines for error responses with this status. */
const withoutStatus = (complaints: string[], status: number) =>
  complaints.filter((text) => !text.includes(`status of ${status}`));

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL('**/login');
}

test('signing in and out', async ({ page }) => {
  const complaints = watchConsole(page);

  await test.step('/ is the home page for visitors, with links to sign in and back', async () => {
    await page.goto('/');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL('**/login');
    await page.getByRole('link', { name: 'Teehouse, home' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Run containers no one else can see inside',
    );
    await page.goto('/login');
    await expect(page).toHaveTitle(/^Sign in/);
    await expectAccessible(page);
  });

  const { email, slug } = await registerUser(page, 'visitor');

  await test.step('/ redirects users to their team', async () => {
    for (const path of ['/', '/login']) {
      await page.goto(path);
      await page.waitForURL(`**/${slug}`);
    }
  });

  await test.step('signing out leaves no team data', async () => {
    await signOut(page);
    await page.goBack();
    await page.waitForURL(/\/login/);
    expect((await page.request.get('/api/v1/auth/me')).status()).toBe(401);
  });

  await test.step('a wrong password', async () => {
    await page.goto('/login');
    await signIn(page, email, 'not the password');
    const alert = page.getByText('Wrong email or password.');
    await expect(alert).toBeVisible();
    await expectAccessible(page);
    // An unknown address gets the same response.
    await signIn(page, 'nobody-here@example.test', 'not the password');
    await expect(alert).toBeVisible();
    await expect(page).toHaveURL(/\/login/);
  });

  await test.step('a protected page opens after signing in', async () => {
    await page.goto(`/${slug}/deploy`);
    await page.waitForURL(`**/login?next=${encodeURIComponent(`/${slug}/deploy`)}`);
    await signIn(page, email);
    await page.waitForURL(`**/${slug}/deploy`);
  });

  await test.step('a session ended elsewhere redirects to sign in', async () => {
    await page.goto(`/${slug}`);
    await expect(
      page
        .getByRole('main')
        .getByRole('link', { name: /deploy/i })
        .first(),
    ).toBeVisible();
    const { origin } = new URL(page.url());
    const ended = await page.request.delete('/api/v1/auth/session', { headers: { Origin: origin } });
    expect(ended.ok()).toBe(true);
    // The next request reveals it; here, the palette's.
    await page.keyboard.press('ControlOrMeta+k');
    await page.waitForURL(/\/login\?next=/);
    await signIn(page, email);
    await page.waitForURL((url) => url.pathname.startsWith(`/${slug}`));
  });

  expect(withoutStatus(complaints, 401)).toEqual([]);
});

test('unknown addresses and other teams look alike', async ({ page, browser, baseURL }) => {
  const complaints = watchConsole(page);
  const context = await browser.newContext({ baseURL });
  const { slug: others } = await registerUser(await context.newPage(), 'other');
  await context.close();
  const { slug } = await registerUser(page, 'walker');

  for (const path of [
    '/no-such-team-at-all',
    // Another user's team looks like a missing one.
    `/${others}`,
    `/${others}/deploy`,
    `/${slug}/no-such-page`,
    `/${slug}/cvms/00000000-0000-4000-8000-000000000000`,
    `/${slug}/apps/${'0'.repeat(40)}`,
    '/dashboard/cvms/00000000-0000-4000-8000-000000000000',
    // Reserved addresses are not teams.
    '/settings',
    '/pricing',
  ]) {
    await page.goto(path);
    await expect(nothing(page), path).toBeVisible();
    await expect(page).toHaveTitle(/Not found|Teehouse/);
  }
  await expectAccessible(page);
  expect(withoutStatus(complaints, 404)).toEqual([]);
});

test('shows refusals, crashes and connection errors', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'faulty');

  await test.step('forbidden', async () => {
    await page.route('**/api/v1/apps?**', (route) =>
      route.fulfill({
        status: 403,
        json: {
          detail: { error_code: 'ERR-00-003', message: 'Your role does not include this.' },
          code: 'ERR-00-003',
        },
      }),
    );
    await page.goto(`/${slug}`);
    await expect(heading(page, 'You don’t have access to this page')).toBeVisible();
    await expect(page.getByText('An owner or admin of the team can change your role.')).toBeVisible();
    await expectAccessible(page);
    await page.unroute('**/api/v1/apps?**');
    expect(withoutStatus(complaints, 403)).toEqual([]);
  });

  await test.step('a crashed page shows a report ID and can be reloaded', async () => {
    // A response that this server version never sends.
    await page.route('**/api/v1/apps/summary', (route) =>
      route.fulfill({ json: { cvm_count: 1, statuses: [null] } }),
    );
    await page.goto(`/${slug}`);
    await expect(heading(page, 'This page stopped working')).toBeVisible();
    await expect(page.getByText(/^Report [0-9a-f]{32}/)).toBeVisible();
    await expectAccessible(page);
    await page.unroute('**/api/v1/apps/summary');
    await page.getByRole('button', { name: 'Reload', exact: true }).click();
    await expect(
      page
        .getByRole('main')
        .getByRole('link', { name: /deploy/i })
        .first(),
    ).toBeVisible();
  });

  await test.step('an unreachable server', async () => {
    await page.route('**/api/v1/apps?**', (route) =>
      route.fulfill({ status: 503, json: { detail: { error_code: 'X', message: 'Down for a moment.' } } }),
    );
    // While readiness probes fail, the page doesn't refetch until the user does.
    await page.route('**/readyz', (route) => route.abort());
    await page.goto(`/${slug}`);
    const again = page.getByRole('button', { name: /again|retry/i });
    await expect(again).toBeVisible();
    await expectAccessible(page);
    await page.unroute('**/api/v1/apps?**');
    await again.click();
    await expect(
      page
        .getByRole('main')
        .getByRole('link', { name: /deploy/i })
        .first(),
    ).toBeVisible();
    await page.unroute('**/readyz');
  });

  await test.step('a connection lost while a page loads', async () => {
    let broken = 0;
    // Chromium retries once; that attempt fails, too.
    await page.route('**/assets/WebhooksTab-*.js', (route) =>
      ++broken <= 2 ? route.abort('connectionreset') : route.continue(),
    );
    await page.goto(`/${slug}/members?tab=webhooks`);
    await expect(page.getByText('No webhooks yet', { exact: true })).toBeVisible();
    expect(broken).toBeGreaterThan(1);
  });
});

test('a page loads again when its code doesn’t arrive', async ({ page }) => {
  const { slug } = await registerUser(page, 'tunnel');
  const broken = { start: 0, page: 0 };
  await page.route('**/assets/index-*.js', (route) =>
    ++broken.start <= 2 ? route.abort('connectionreset') : route.continue(),
  );
  await page.goto(`/${slug}`);
  await expect(page.getByText('No apps yet')).toBeVisible();
  expect(broken.start).toBeGreaterThan(2);

  await page.route('**/assets/_teamSlug.launch-*.js', (route) =>
    ++broken.page <= 6 ? route.abort('connectionreset') : route.continue(),
  );
  await page.getByRole('link', { name: 'Other ways to start' }).click();
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toHaveText(/Launch/, {
    timeout: 60_000,
  });
  expect(broken.page).toBeGreaterThan(6);
});

test('a new team can’t take a reserved address', async ({ page, baseURL }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'founder');
  await page.getByRole('button', { name: /Switch team/ }).click();
  await page.getByRole('menuitem', { name: 'Create team…' }).click();
  const dialog = page.getByRole('dialog');
  const address = dialog.getByLabel('Address');
  await dialog.getByLabel('Name').fill('Admin');
  await expect(address).toHaveValue('admin-team');
  for (const word of ['admin', 'login', 'docs', 'api', 'explorer']) {
    await address.fill(word);
    await expect(dialog.getByText(`“${word}” is reserved.`)).toBeVisible();
    await dialog.getByRole('button', { name: 'Create team' }).click();
    await expect(dialog).toBeVisible();
    // The server rejects it, too.
    const answer = await page.request.post('/api/v1/workspaces', {
      data: { name: 'Reserved', slug: word },
      headers: { Origin: baseURL ?? '' },
    });
    expect([409, 422], word).toContain(answer.status());
  }
  await address.fill(slug);
  await dialog.getByRole('button', { name: 'Create team' }).click();
  await expect(address).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);

  const second = `${slug.slice(0, 20)}-second`;
  await address.fill(second);
  await dialog.getByRole('button', { name: 'Create team' }).click();
  await page.waitForURL(`**/${second}`);
  await expect(breadcrumb(page).first()).toContainText('Admin');

  // Product pages take precedence over teams.
  await page.goto('/admin');
  await expect(page).toHaveURL('/admin');
  const docs = await page.goto('/docs');
  expect(docs?.status()).toBe(200);
  await expect(page).not.toHaveTitle(/Not found/);
  expect(complaints.filter((text) => !/status of 409|status of 422/.test(text))).toEqual([]);
});

/* routes.spec opens every team page and measures it at both widths. */
test('team pages have titles, breadcrumbs, keyboard access, themes and a phone layout', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'guide');
  const cvm = await deployApp(page, slug, { name: 'guide-app', compose: COMPOSE });

  await test.step('title, breadcrumb and context', async () => {
    await page.goto(`${cvm}/settings`);
    await expect(breadcrumb(page).last()).toContainText('Settings');
    await expect(breadcrumb(page).last().locator('[aria-current="page"]')).toBeVisible();
    await expect(page).toHaveTitle(/Settings.*guide-app/);
    await openAside(page);
    await expect(page.getByRole('complementary', { name: 'Context' })).toBeVisible();
    await breadcrumb(page).first().getByRole('link').click();
    await page.waitForURL(`**/${slug}`);
  });

  await test.step('the palette works by keyboard', async () => {
    await page.keyboard.press('ControlOrMeta+k');
    const search = page.getByRole('combobox', { name: 'Search' });
    await expect(search).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.type('deploy');
    await expect(page.getByRole('option', { selected: true })).toContainText('Deploy an app');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/${slug}/deploy`);
    await expect(search).toBeHidden();
    // The form takes the focus when it appears.
    await expect(page.getByLabel('Name', { exact: true })).toBeVisible();

    await page.getByRole('main').focus();
    await page.keyboard.press('/');
    await expect(search).toBeFocused();
    await page.keyboard.type('guide-app');
    const found = page.getByRole('option', { name: /^guide-app Running/ });
    await expect(found).toBeVisible();
    await expect
      .poll(async () => {
        if ((await found.getAttribute('aria-selected')) === 'true') return true;
        await page.keyboard.press('ArrowDown');
        return false;
      })
      .toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${cvm}`);
  });

  await test.step('the theme persists', async () => {
    for (const [choice, theme] of [
      ['Dark', 'dark'],
      ['Light', 'light'],
    ] as const) {
      await page.getByRole('button', { name: /^Account:/ }).click();
      await page.getByRole('menuitemradio', { name: choice }).click();
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      await page.reload();
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      await expect(heading(page, 'guide-app')).toBeVisible();
      await expectAccessible(page);
    }
  });

  await test.step('nothing overflows on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${cvm}/settings`);
    await expect(breadcrumb(page).last()).toContainText('Settings');
    await expect(page.getByRole('main')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Apps' }).click();
    await page.waitForURL(`**/${slug}`);
    await signOut(page);
    await expect(heading(page, 'Sign in')).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.goto('/register');
    await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.goto('/login');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await expectAccessible(page);
  });

  expect(complaints).toEqual([]);
});
