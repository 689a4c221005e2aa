import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, type Page } from './browser';
import {
  IMAGE,
  PASSWORD,
  accessibilityFaults,
  callApi,
  deployApp,
  expectAccessible,
  expectNoSidewaysScroll,
  newEmail,
  onDatabase,
  registerUser,
  signIn,
  watchConsole,
} from './support';
import { mailedLink } from './accounts';
import { signInAs } from './staff';
import { layoutShift } from './walk';

/** The public pages: complete HTML, readable without scripts, at every width and in both color schemes. */

const PAGES: readonly [path: string, heading: string][] = [
  ['/', 'Run containers no one else can see inside'],
  ['/about', 'A cloud that can’t read what it runs'],
  ['/about/billing', 'Billing you can recompute'],
  ['/about/pricing', 'Pricing'],
  ['/explorer', 'Explorer'],
  ['/explorer/verify', 'Verify it yourself'],
  ['/cases', 'Use cases'],
  ['/cases/private-api-keys', 'Keep API keys away from the host'],
  ['/templates', 'Templates'],
  ['/templates/postgresql', 'PostgreSQL'],
  ['/features/mcp-hosting', 'MCP servers nobody can eavesdrop on'],
  ['/features/mcp-hosting/mcp-memory', 'MCP memory'],
  ['/eliza', 'Agents that can prove who they are'],
  ['/gpu-tee', 'GPUs inside the enclave'],
];
// On a server without mail, the first user to register doesn't have to confirm an address.
test.beforeAll(async ({ request, baseURL }) => {
  await request.post('/api/v1/auth/register', {
    data: { email: newEmail('first'), password: PASSWORD },
    headers: { Origin: new URL(baseURL ?? '').origin },
  });
});

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

test('public pages load without layout shifts and fit every width and scheme', async ({ page, baseURL }) => {
  const complaints = watchConsole(page);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(baseURL ?? '').origin) foreign.push(request.url());
  });
  const html = page.locator('html');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  for (const [path, title] of PAGES) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 1280, height: 720 });
    const { sum, moved } = await layoutShift(page, path, () => expect(heading(page)).toHaveText(title));
    // At most one word moves: a page may be painted before all of it has arrived.
    expect(sum, `${path}\n${moved.join('\n')}`).toBeLessThan(0.001);
    for (const width of [390, 1920, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(page);
      // Above 1280 px the layout is the same, with more space around it.
      if (width < 1920) expect(await accessibilityFaults(page), `${path} at ${width} px`).toEqual([]);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    // A page applies the system's scheme on load.
    await html.evaluate((root) => root.setAttribute('data-theme', 'dark'));
    expect(await accessibilityFaults(page), `${path}, dark`).toEqual([]);
  }
  expect([complaints, foreign]).toEqual([[], []]);
});

test('public pages work without scripts', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  for (const [path, title] of PAGES) {
    await page.goto(path);
    await expect(heading(page)).toHaveText(title);
  }
  await page.goto('/about/pricing');
  await page.getByLabel('Running hours a month').fill('100');
  await page.getByRole('button', { name: 'Calculate' }).click();
  await expect(page.getByText('$5.80 while running')).toBeVisible();
  await context.close();
});

test('the calculator updates while typing, and its address can be shared', async ({ page, context }) => {
  const complaints = watchConsole(page);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/PriceCalculator-/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/about/pricing', { waitUntil: 'commit' });
  await expect(page.getByText('1 vCPU, 2 GB memory, 20 GB disk included')).toBeVisible();
  await page.getByRole('combobox', { name: 'Size' }).selectOption('tdx.large');
  await page.getByLabel('Running hours a month').fill('100');
  // What was entered before the script arrived counts, too.
  release();
  await expect(page.getByText('$23.20 while running')).toBeVisible();
  await page.getByLabel('CVMs').fill('');
  await page.getByLabel('CVMs').fill('2');
  await expect(page.getByText('$46.40 while running')).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByText('$46.40 while running')).toBeVisible();
  await expect(other.getByLabel('CVMs')).toHaveValue('2');
  expect(complaints).toEqual([]);
});

test('a visitor without an account deploys a use case', async ({ page }) => {
  const complaints = watchConsole(page);
  await page.goto('/cases/private-api-keys');
  await page.getByRole('link', { name: 'Deploy this' }).click();
  await page.waitForURL('**/login**');
  await page.getByRole('link', { name: 'Create one' }).click();
  // Both pages have these fields, and the address changes before the page does.
  await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible();
  const email = newEmail('case');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Check your email')).toBeVisible();
  // The emailed link leads back to sign-in, which still continues to the requested page.
  await onDatabase('update users set email_verified_at = now() where email = $1', [email]);
  await page.goto('/launch?case=private-api-keys');
  await page.waitForURL('**/login**');
  await signIn(page, email);

  await expect(page.getByRole('combobox', { name: 'Use case' })).toHaveValue('private-api-keys');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/deploy');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('private-api-keys');
  await expect(page.getByRole('textbox', { name: 'docker-compose.yml' })).toContainText('API_KEY');
  expect(complaints).toEqual([]);
});

test('a visitor without an account deploys a template', async ({ page }) => {
  const complaints = watchConsole(page);
  await page.goto('/templates');
  await page.getByRole('link', { name: 'PostgreSQL', exact: true }).click();
  await page.getByRole('link', { name: 'Deploy PostgreSQL' }).click();
  await page.waitForURL('**/login**');
  const email = newEmail('template');
  await page.getByRole('link', { name: 'Create one' }).click();
  await expect(page.getByRole('button', { name: 'Create account' })).toBeVisible();
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Check your email')).toBeVisible();
  await onDatabase('update users set email_verified_at = now() where email = $1', [email]);
  await page.goto('/launch?template=postgresql');
  await page.waitForURL('**/login**');
  await signIn(page, email);

  const form = page.getByRole('form', { name: 'PostgreSQL' });
  await expect(form.getByLabel('Password of the user postgres', { exact: true })).not.toHaveValue('');
  await form.getByLabel('Database').fill('My data');
  await form.getByRole('button', { name: 'Continue' }).click();
  await expect(form.getByLabel('Database')).toHaveAccessibleDescription(/Lowercase letters/);
  await expectAccessible(page);
  await form.getByLabel('Database').fill('orders');
  await form.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/deploy');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('postgresql');
  await expect(page.getByRole('textbox', { name: 'docker-compose.yml' })).toContainText(
    'postgres:17-alpine@sha256',
  );
  await expect(page.getByRole('textbox', { name: /^Disk/ })).toHaveValue('20');
  expect(complaints).toEqual([]);
});

test('a visitor finds a published app and verifies it', async ({ page, browser }) => {
  const { slug } = await registerUser(page, 'publisher');
  const path = await deployApp(page, slug, {
    name: 'published-app',
    compose: `services:\n  web:\n    image: ${IMAGE}\n    command: httpd -f -p 80\n`,
  });
  await page.goto(`${path}/settings`);
  await page.getByRole('button', { name: 'Publish…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Publish published-app?' });
  await expect(dialog.getByText('The Compose file and its hash')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(page.getByRole('link', { name: 'its public page' })).toBeVisible();

  const context = await browser.newContext();
  const visitor = await context.newPage();
  const complaints = watchConsole(visitor);
  await visitor.goto('/explorer');
  await visitor.getByLabel('Search').fill('published-app');
  await visitor.getByRole('button', { name: 'Search' }).click();
  await visitor.waitForURL('**q=published-app**');
  await visitor.getByRole('link', { name: 'published-app' }).first().click();
  await expect(heading(visitor)).toHaveText('published-app');
  // Without a TEE nothing is ever verified, whatever passes.
  await expect(
    visitor.getByRole('status').filter({ hasText: 'No TEE hardware: this host simulates attestation.' }),
  ).toBeVisible();
  await expect(visitor.locator('[data-tone="ok"]')).toHaveCount(0);
  await expect(visitor.getByRole('list', { name: 'Checks' }).getByRole('listitem').first()).toBeVisible();
  for (const width of [390, 1280]) {
    await visitor.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(visitor);
    await expectAccessible(visitor);
    // No table scrolls in its container, not even on a phone.
    for (const name of ['Services', 'CVMs', 'Versions']) {
      const table = visitor.getByRole('region', { name, exact: true });
      const hidden = await table.evaluate((box) => box.scrollWidth - box.clientWidth);
      expect([name, width, hidden]).toEqual([name, width, 0]);
    }
  }
  // A check's reason is on the same line as its title.
  const mark = visitor.getByText('Passed (simulated)', { exact: true }).first();
  expect(await mark.evaluate((node) => node.getClientRects()[0]!.height)).toBeLessThan(30);
  const download = visitor.waitForEvent('download');
  await visitor.getByRole('button', { name: 'Download evidence' }).click();
  expect((await download).suggestedFilename()).toBe('published-app.evidence.json');
  expect(complaints).toEqual([]);
  const appPage = new URL(visitor.url()).pathname;
  await expect(visitor.getByRole('img', { name: 'The app’s badge' })).toBeVisible();

  // Another site embeds the widget and receives its result. The message is checked like a site would.
  const site = await context.newPage();
  const widget = new URL(`/widget/app/${appPage.split('/').at(-1)}`, visitor.url()).href;
  const html = `<!doctype html><html lang="en"><title>A site</title><link rel="icon" href="data:,"><script>addEventListener('message', ({ data }) => { if (data.source === 'teehouse') document.title = data.state ?? data.reason; });</script><iframe src="${widget}" title="Verification"></iframe></html>`;
  const elsewhere = createServer((_req, res) => res.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  await site.goto(`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`);
  await expect(site).toHaveTitle('simulated');
  await expect(site.frameLocator('iframe').getByRole('status')).toContainText('No TEE hardware');
  await site.route('**/evidence?*', (route) => route.abort());
  await site.reload();
  await expect(site).toHaveTitle('Couldn’t reach the server. Check your connection.');
  await site.unroute('**/evidence?*');
  elsewhere.closeAllConnections();
  elsewhere.close();
  await site.goto(widget);
  await expectAccessible(site);

  await test.step('they watch it: only a click on the emailed link’s page confirms, and another one ends it', async () => {
    const email = newEmail('watcher');
    await visitor.goto(appPage);
    // The form is tested with a server that sends mail.
    await expect(visitor.getByText('This server doesn’t send email.')).toBeVisible();
    const asked = await visitor.request.post(`/api/v1/explorer/apps/${appPage.split('/').at(-1)}/watches`, {
      data: { email },
    });
    expect(asked.status()).toBe(204);
    const link = await mailedLink(email, 'app_watch_confirm');
    await visitor.goto(link);
    await expect(heading(visitor)).toHaveText('Watch published-app');
    await expectAccessible(visitor);
    await visitor.getByRole('button', { name: 'Start watching' }).click();
    await expect(
      visitor.getByText('You’re watching this app and get an email when it changes.'),
    ).toBeVisible();
    await visitor.reload();
    await expect(visitor.getByRole('button', { name: 'Stop watching' })).toBeVisible();
    await visitor.setViewportSize({ width: 390, height: 800 });
    await expectNoSidewaysScroll(visitor);
    await expectAccessible(visitor);
    await visitor.getByRole('button', { name: 'Stop watching' }).click();
    await expect(visitor.getByText('Your address was deleted.')).toBeVisible();
    await visitor.goto(link);
    await expect(heading(visitor)).toHaveText('This link no longer works');
    expect(complaints).toEqual([]);
  });

  await test.step('they request a webhook and check a domain; each refusal gives its reason', async () => {
    // The page's console reports refused requests.
    const asking = await context.newPage();
    await asking.goto(appPage);
    await asking.getByRole('button', { name: 'Watch by webhook' }).click();
    const hook = asking.getByRole('form', { name: 'Watch this app by webhook' });
    await hook.getByLabel('Receiver URL').fill('https://10.0.0.1/hook');
    await hook.getByLabel('Signing secret').fill('a-secret-of-the-receiver');
    await expectAccessible(asking);
    await hook.getByRole('button', { name: 'Watch' }).click();
    await expect(hook.getByRole('alert')).toContainText('must have a public address');
    const domain = asking.getByRole('form', { name: 'Check a domain' });
    await domain.getByLabel('Domain').fill('app.internal');
    await domain.getByRole('button', { name: 'Check' }).click();
    // The message omits the API's field name.
    await expect(
      asking.getByText('Names under .internal only exist on a single machine or network.', { exact: true }),
    ).toBeVisible();
    await asking.close();
  });

  await test.step('they are notified that the verification code could not be loaded', async () => {
    const broken = await context.newPage();
    await broken.route(/\/VerifyApp-[\w-]+\.js$/, (route) => route.abort());
    await broken.goto(appPage);
    await expect(broken.getByRole('alert')).toContainText('Couldn’t load this part of the page');
    await expect(broken.getByText('Verifying…')).toHaveCount(0);
    await broken.close();
  });

  await test.step('they read the changes of a new version', async () => {
    const data = {
      docker_compose_file: `services:\n  web:\n    image: ${IMAGE}\n    command: httpd -f -p 80\n    environment:\n      - A_RATHER_LONG_VARIABLE_WITH_A_LONG_VALUE=${'value-'.repeat(20)}\n`,
    };
    const cvm = `/cvms/${path.split('/').at(-1)}`;
    await callApi(page, 'patch', cvm, { data, team: slug });
    const read = () => callApi<{ in_progress: boolean }>(page, 'get', cvm, { team: slug });
    await expect.poll(read, { timeout: 90_000 }).toMatchObject({ in_progress: false });
    const revisions = async () => {
      const answer = await visitor.request.get(`/api/v1/explorer/apps/${appPage.split('/').at(-1)}`);
      return ((await answer.json()) as { revisions: { number: number; changed_from: number | null }[] })
        .revisions;
    };
    await expect.poll(revisions).toContainEqual(expect.objectContaining({ number: 2, changed_from: 1 }));
    await visitor.goto(`${appPage}/versions/2`);
    await expect(heading(visitor)).toHaveText('published-app: version 2');
    await expect(visitor.getByText('+     environment:')).toBeVisible();
    for (const width of [390, 1280]) {
      await visitor.setViewportSize({ width, height: 800 });
      await expectNoSidewaysScroll(visitor);
      await expectAccessible(visitor);
    }
  });

  await page.getByRole('button', { name: 'Unpublish…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unpublish', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Publish…' })).toBeVisible();
  expect((await visitor.goto(appPage))?.status()).toBe(404);

  await test.step('a report removes the app from the explorer, and its team reads why', async () => {
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await expect(page.getByRole('link', { name: 'its public page' })).toBeVisible();
    await visitor.goto(appPage);
    await visitor.getByRole('button', { name: 'Report this app' }).click();
    const form = visitor.getByRole('form', { name: 'Report this app' });
    await form.getByLabel('Problem').selectOption('phishing');
    await form.getByLabel('What you saw, and where').fill('The first page copies the login of a bank.');
    await expectAccessible(visitor);
    await form.getByRole('button', { name: 'Send report' }).click();
    await expect(visitor.getByText('Thank you.')).toBeVisible();

    const staff = await (await browser.newContext()).newPage();
    await signInAs(staff, 'support');
    await staff.goto('/admin/abuse-reports');
    await staff.getByRole('link', { name: 'published-app' }).first().click();
    // The list has the same text, and a column heading that starts with the button's label.
    await expect(staff.getByRole('heading', { level: 1, name: 'published-app' })).toBeVisible();
    await expect(staff.getByText('The first page copies the login of a bank.')).toBeVisible();
    await expectAccessible(staff);
    await staff
      .getByRole('button', { name: /^Delist\b/ })
      .first()
      .click();
    const decision = staff.getByRole('dialog');
    await decision.getByLabel(/^Reason/).fill('It imitates a bank.');
    await decision.getByRole('textbox').last().fill('published-app');
    await decision.getByRole('button', { name: /^Delist/ }).click();
    await expect(decision).toBeHidden();
    await staff.context().close();

    expect((await visitor.goto(appPage))?.status()).toBe(404);
    await page.reload();
    await expect(page.getByText('Removed by the operators of this cloud.')).toBeVisible();
    await expect(page.getByText('It imitates a bank.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Publish…' })).toHaveCount(0);
  });
  await context.close();
});
