import { expect, test, type Page } from './browser';
import { TEAM_HOME_REQUESTS } from '../lib/teamHomeRequests';
import { startOwnServer } from './ownServer';
import { STARTERS } from '../features/apps/launch/starters';
import { expectAccessible, PASSWORD, registerUser, watchConsole } from './support';

/** The page's frame and requests before its code arrives. */

const shell = (page: Page) => page.locator('#shell');
const background = (page: Page) =>
  shell(page).evaluate((element) => getComputedStyle(element).backgroundColor);

/** Holds all scripts back until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`the sign-in page’s frame shows before its code, in ${colorScheme}`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    const complaints = watchConsole(page);
    const release = await holdScripts(page);
    await page.goto('/login', { waitUntil: 'commit' });
    await expect(shell(page)).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
    expect(await background(page)).toBe(colorScheme === 'light' ? 'rgb(246, 244, 240)' : 'rgb(18, 17, 16)');
    await expect(shell(page).locator('.top')).toBeHidden();
    release();
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    await expect(shell(page)).toHaveCount(0);
    expect(complaints).toEqual([]);
    await context.close();
  });

test('a team’s home shows its frame before its code, which then finds its data already requested', async ({
  context,
}) => {
  const { slug } = await registerUser(await context.newPage(), 'starter');
  // A new page, so that the registration page's requests don't count.
  const page = await context.newPage();
  const complaints = watchConsole(page);
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) requests.push(pathname + search);
  });
  // An event from the registration would cause a refetch.
  await page.route('**/events/stream?**', (route) => route.fulfill({ status: 204 }));
  const release = await holdScripts(page);
  await page.goto(`/${slug}`, { waitUntil: 'commit' });
  await expect(shell(page).locator('.top')).toBeVisible();
  await expect.poll(() => TEAM_HOME_REQUESTS.filter((path) => !requests.includes(path))).toEqual([]);
  release();
  await expect(page.getByText('No apps yet')).toBeVisible();
  await expect(shell(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Account:/ })).toBeVisible();
  expect(TEAM_HOME_REQUESTS.map((path) => [path, requests.filter((one) => one === path).length])).toEqual(
    TEAM_HOME_REQUESTS.map((path) => [path, 1]),
  );
  expect(complaints).toEqual([]);
});

test('the first HTML shows the frame without JavaScript', async ({ page, browser, baseURL }) => {
  const { slug } = await registerUser(page, 'shell');
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
    ...(baseURL === undefined ? {} : { baseURL }),
  });
  const still = await context.newPage();
  await still.goto(`/${slug}`);
  for (const part of ['.brand', '.links', '.top', '.main'])
    await expect(shell(still).locator(part)).toBeVisible();
  await context.close();
});

test('a new team starts from a template, and a draft is only replaced after confirmation', async ({
  page,
}) => {
  const { slug } = await registerUser(page, 'novice');
  await page.goto(`/${slug}`);
  const templates = page.getByRole('region', { name: 'Start from a template' });
  await expect(templates.getByRole('button')).toHaveCount(3);
  await expectAccessible(page);
  await templates.getByRole('button', { name: 'Database' }).click();
  await page.waitForURL(`**/${slug}/deploy`);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('postgres');
  await expect(page.getByText('image: postgres:17-alpine')).toBeVisible();
  await expect(page.getByText('POSTGRES_PASSWORD').first()).toBeVisible();
  // Logs are private unless the user publishes them.
  const advanced = page.locator('summary', { hasText: 'Advanced' });
  const publicLogs = page.getByRole('switch', { name: 'Public container logs' });
  await expect(advanced).toContainText('private logs');
  const folded = advanced.locator('..');
  const image = folded.getByLabel('OS image', { exact: true });
  const script = folded.getByText('Pre-launch script', { exact: true }).first();
  await expect(image).toBeHidden();
  await advanced.click();
  await expect(image).toBeVisible();
  await expect(script).toBeVisible();
  await expect(publicLogs).not.toBeChecked();
  // A setting that returns to its default stays visible.
  await publicLogs.click();
  await expect(advanced).toContainText('public logs');
  await publicLogs.click();
  await expect(advanced).toContainText('private logs');
  await expect(publicLogs).toBeVisible();
  await page.goBack();
  await templates.getByRole('button', { name: 'Web server' }).click();
  await expect(page.getByRole('heading', { name: 'Replace your draft?' })).toBeVisible();
  await page.getByRole('button', { name: 'Replace' }).click();
  await page.waitForURL(`**/${slug}/deploy`);
  await expect(page.getByText('image: nginx:1.29-alpine')).toBeVisible();
  // A draft changed right before following a link survives a reload.
  const name = page.getByRole('textbox', { name: 'Name', exact: true });
  await name.fill('changed-last');
  await page.goBack();
  await page.waitForURL(`**/${slug}`);
  await page.goto(`/${slug}/deploy`);
  await expect(name).toHaveValue('changed-last');
});

test('names no requests for a team that the user is not in', async ({ page, browser }) => {
  const { slug } = await registerUser(page, 'insider');
  const other = await browser.newPage();
  await registerUser(other, 'outsider');
  const html = async (visitor: Page) =>
    (await visitor.request.get(`/${slug}`, { headers: { accept: 'text/html' } })).text();
  expect(await html(page)).toContain('<meta name="first-requests"');
  expect(await html(other)).not.toContain('<meta name="first-requests"');
  await other.close();
});

test('each starter template deploys, and a team with apps still finds every start option', async ({
  page,
}) => {
  const complaints = watchConsole(page);
  const server = await startOwnServer({ LOCAL_TEEPOD_ENGINE: 'simulate' });
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(`${server.url}/api/v1/${path}`, {
      data,
      headers: { Origin: server.url },
    });
    expect(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
    return (await answer.json()) as { slug: string };
  };
  try {
    await post('auth/register', { email: 'starter@example.test', password: PASSWORD });
    let slug = '';
    for (const { id, title, name, secrets = [] } of STARTERS)
      await test.step(title, async () => {
        // Only the home page of a team without apps offers them.
        ({ slug } = await post('workspaces', { name: `Team ${id}` }));
        await page.goto(`${server.url}/${slug}`);
        const templates = page.getByRole('region', { name: 'Start from a template' });
        await templates.getByRole('button', { name: title }).click();
        await page.waitForURL(`**/${slug}/deploy`);
        for (const { key } of secrets)
          await page.getByRole('textbox', { name: `Value of ${key}` }).fill('correct horse');
        await page.getByRole('button', { name: 'Deploy', exact: true }).click();
        await page.waitForURL('**/cvms/**');
        await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
        await expect(page.getByText('Running', { exact: true }).first()).toBeVisible();
      });
    await page.goto(`${server.url}/${slug}`);
    const menu = page.getByRole('navigation', { name: 'Sections' });
    await expect(menu.getByRole('link', { name: 'Deploy', exact: true })).toBeVisible();
    await expect(menu.getByRole('link', { name: 'Launch' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Start from' }).click();
    await expect(page.getByRole('menuitem')).toHaveText([
      'Local files',
      'A template',
      'A model',
      'An MCP server',
      'An agent',
      'An existing app',
      'A use case',
      'The command line',
    ]);
    await page.getByRole('menuitem', { name: 'An agent' }).click();
    await expect(page).toHaveURL(/\/launch\?way=agent$/);
    await expect(page.getByRole('heading', { level: 1, name: 'Launch' })).toBeVisible();
    // Checked before the server stops, which the open page would report.
    expect(complaints).toEqual([]);
  } finally {
    await server.stop();
  }
});
