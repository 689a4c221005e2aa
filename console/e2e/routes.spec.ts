import { expect, test, type Page } from './browser';
import { callApi } from './accounts';
import { deployApp, expectAccessible, IMAGE, registerUser, watchConsole } from './support';
import { openSame, visit, type Visit } from './walk';
import { addOwnWallet } from './wallets/ownWallet';

/**
 * Opens every team, dashboard and preview address, with data and in an empty team. Checks title, breadcrumb, aside,
 * console messages, accessibility and layout shifts, once for pages with several addresses. Which route serves an
 * address, and what each CVM identifier resolves to, is tested without a browser in console/routes/routes.test.ts,
 * console/features/cvms/load.test.ts and server/operations/cvms/reading.test.ts.
 */
test.describe.configure({ mode: 'parallel' });

const NAME = 'routes-app';
const COMPOSE = `services:
  eliza:
    image: ${IMAGE}
    environment:
      CHARACTER: |-
        {
          "name": "Ada",
          "bio": ["Knows engines."],
          "style": { "all": ["Be brief."] }
        }
    command: sh -c 'echo up; exec httpd -f -p 80'
    ports:
      - "80:80"
`;

const TABS: readonly [tab: string, title: string][] = [
  ['logs', 'Logs'],
  ['events', 'Events'],
  ['compose', 'Compose'],
  ['network', 'Network'],
  ['certificates', 'Certificates'],
  ['kms', 'KMS'],
  ['usage', 'Usage'],
  ['eliza-conf', 'Agent'],
  ['settings', 'Settings'],
];

const nothing = (page: Page) => page.getByRole('heading', { name: 'Page not found' });
const without404 = (complaints: string[]) => complaints.filter((text) => !text.includes('status of 404'));

interface Deployed {
  slug: string;
  vmUuid: string;
  appId: string;
  complaints: string[];
}

async function deployed(page: Page, who: string): Promise<Deployed> {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, who);
  const path = await deployApp(page, slug, { name: NAME, compose: COMPOSE });
  const vmUuid = path.split('/').at(-1) ?? '';
  const { app_id } = await callApi<{ app_id: string }>(page, 'get', `/cvms/${vmUuid}`, { team: slug });
  return { slug, vmUuid, appId: app_id, complaints };
}

test('opens every page of a team, an app and a CVM', async ({ page }) => {
  const { slug, vmUuid, appId, complaints } = await deployed(page, 'walk');
  const app = `/${slug}/apps/${appId}`;
  const cvm = `/${slug}/cvms/${vmUuid}`;
  const pages: Visit[] = [
    { path: `/${slug}`, title: 'Apps', crumbs: ['Apps'], aside: false },
    { path: `/${slug}/deploy`, title: 'Deploy', crumbs: ['Deploy'], aside: true },
    { path: `/${slug}/launch`, title: 'Launch', crumbs: ['Launch'], aside: true },
    ...['import', 'template', 'mcp', 'agent', 'copy', 'case', 'cli'].map((way) => ({
      path: `/${slug}/launch?way=${way}`,
      title: 'Launch',
      crumbs: ['Launch'],
      aside: true,
    })),
    { path: `/${slug}/members`, title: 'Members', crumbs: ['Members'], aside: true },
    ...[
      ['roles', 'Roles'],
      ['security', 'Team security'],
      ['webhooks', 'Webhooks'],
      ['audit', 'Audit log'],
      ['settings', 'Team settings'],
    ].map(([tab, title = '']) => ({
      path: `/${slug}/members?tab=${tab}`,
      title,
      crumbs: [title],
      aside: true,
    })),
    { path: `/${slug}/tokens`, title: 'API tokens', crumbs: ['API tokens'], aside: true },
    { path: app, title: NAME, crumbs: [NAME], aside: true },
    ...(['CVMs', 'Events', 'Revisions', 'Usage'] as const).map((title) => ({
      path: `${app}/${title.toLowerCase()}`,
      title,
      crumbs: [NAME, title],
      aside: true,
    })),
    { path: cvm, title: NAME, crumbs: [NAME, 'CVM'], aside: true },
    ...TABS.map(([tab, title]) => ({
      path: `${cvm}/${tab}`,
      title,
      crumbs: [NAME, 'CVM', title],
      aside: true,
    })),
  ];
  for (const one of pages) await visit(page, one);
  expect(complaints).toEqual([]);
});

test('opens a CVM at all of its addresses', async ({ page, browser, baseURL }) => {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const other = await registerUser(await context.newPage(), 'stranger');
  await context.close();
  const { slug, vmUuid, appId, complaints } = await deployed(page, 'address');
  const own = `/${slug}/cvms/${vmUuid}`;
  const nested = `/${slug}/apps/${appId}/cvms/${vmUuid}`;
  const dashboard = `/dashboard/cvms/${vmUuid}`;

  await test.step('under its app', async () => {
    await visit(page, { path: nested, title: NAME, crumbs: [NAME, 'CVM'], aside: true });
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const [tab, title] of TABS)
      await openSame(page, { path: `${nested}/${tab}`, title, crumbs: [NAME, 'CVM', title] });
    // Tabs keep the current URL's form.
    await page
      .getByRole('navigation', { name: `${NAME} pages` })
      .getByRole('link', { name: 'Logs' })
      .click();
    await page.waitForURL(`**${nested}/logs`);
  });

  await test.step('on the dashboard', async () => {
    const pages: Visit[] = [
      { path: '/dashboard', title: 'Dashboard', crumbs: null, aside: false },
      { path: '/dashboard/deploy', title: 'Deploy', crumbs: null, aside: false },
      { path: '/dashboard/tokens', title: 'API tokens', crumbs: null, aside: false },
      {
        path: '/dashboard/confidential-ai-api',
        title: 'Confidential AI',
        crumbs: ['Confidential AI'],
        aside: false,
      },
      { path: '/dashboard/confidential-ai-models', title: 'AI models', crumbs: ['AI models'], aside: false },
      { path: '/dashboard/deploy/model', title: 'Deploy a model', crumbs: ['Deploy a model'], aside: false },
      { path: '/dashboard/gpu-tee', title: 'GPU TEE', crumbs: ['GPU TEE'], aside: false },
      {
        path: `/dashboard/apps/${appId}/cvms`,
        title: `CVMs · ${NAME}`,
        crumbs: null,
        aside: false,
      },
      { path: dashboard, title: NAME, crumbs: null, aside: false },
      { path: '/launch', title: 'Launch', crumbs: null, aside: false },
    ];
    for (const one of pages) await visit(page, one);
    for (const [tab, title] of TABS)
      await openSame(page, { path: `${dashboard}/${tab}`, title: `${title} · ${NAME}`, crumbs: null });
    await page.goto(`${dashboard}/kms`);
    await expect(page.getByRole('link', { name: `${own}/kms` })).toBeVisible();
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`${own}/kms$`));
  });

  await test.step('by another identifier', async () => {
    await page.goto(`/dashboard/cvms/${NAME}/kms`);
    await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible();
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`${own}/kms$`));
    await page.goto(`/${slug}/cvms/${NAME}/events`);
    await page.waitForURL(`**${own}/events`);
  });

  await test.step('rejects another app or team', async () => {
    for (const path of [
      `/${slug}/apps/${'0'.repeat(40)}/cvms/${vmUuid}`,
      `/${other.slug}/cvms/${vmUuid}`,
      `${own}/other-conf`,
    ]) {
      await page.goto(path);
      await expect(nothing(page), path).toBeVisible();
    }
  });

  await test.step('after scaling out, the app’s ID is ambiguous', async () => {
    await page.goto(`/${slug}/apps/${appId}/cvms`);
    const prices = '**/api/v1/cvms/*/prices*';
    await page.route(prices, (route) => route.fulfill({ status: 400, json: { message: 'Not now.' } }));
    await page.getByRole('button', { name: 'Scale out…' }).click();
    const dialog = page.getByRole('dialog');
    // The price is shown before confirming.
    await expect(dialog.getByText('Couldn’t load the price')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Scale out' })).toBeDisabled();
    await page.unroute(prices);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await dialog.getByRole('button', { name: 'Scale out' }).click();
    await expect(page.getByRole('main').getByRole('link', { name: `${NAME}-2` })).toBeVisible();
    await page.goto(`/dashboard/cvms/app_${appId}`);
    await expect(page.getByRole('heading', { name: 'Several CVMs have this identifier' })).toBeVisible();
    await page.getByRole('link', { name: `${NAME}-2` }).click();
    // Starting containers change this machine's network, which may break Chromium's connections.
    await expect(async () => {
      const stopped = page.getByRole('heading', { name: 'This page stopped working' });
      if (await stopped.isVisible()) await page.reload();
      await expect(page.getByRole('heading', { level: 1, name: `${NAME}-2` })).toBeVisible({
        timeout: 5_000,
      });
    }).toPass({ timeout: 60_000 });
  });
  expect(without404(complaints).filter((text) => !text.includes('status of 400'))).toEqual([]);
});

test('launches and edits an agent', async ({ page }) => {
  const { slug, vmUuid, appId, complaints } = await deployed(page, 'agent');

  await test.step('the character form and its JSON stay in sync', async () => {
    await page.goto(`/${slug}/cvms/${vmUuid}/eliza-conf`);
    const name = page.getByLabel('Name', { exact: true });
    await expect(name).toHaveValue('Ada');
    await expect(page.getByText('No changes yet.')).toBeVisible();
    await name.fill('Grace');
    await page.getByLabel('Topics').fill('compilers\nships');
    const json = page.getByRole('textbox', { name: 'Character, as JSON' });
    await expect(json).toContainText('"Grace"');

    await page.getByRole('button', { name: 'Add example conversation' }).click();
    const example = page.getByRole('group', { name: 'Example conversation 1' });
    await example.getByLabel('Message').first().fill('What is a ship made of?');
    await example.getByRole('button', { name: 'Add message' }).click();
    await expect(example.getByLabel('Message')).toHaveCount(3);
    await example.getByRole('button', { name: 'Remove last message' }).click();
    await page.getByRole('button', { name: 'Add template' }).click();
    await page.getByLabel('Template messageHandlerTemplate', { exact: true }).fill('Answer as a captain.');

    await page.getByLabel('Plugins').fill('@elizaos/plugin-bootstrap\n@elizaos/plugin-sql');
    await expect(
      page.getByText('@elizaos/plugin-bootstrap must come after @elizaos/plugin-sql.'),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Add provider or client' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a provider or client' });
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await expect(dialog.getByText('This key is shown only once.')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel('Provider or client').selectOption({ label: 'Telegram' });
    await expect(dialog.getByText('TELEGRAM_BOT_TOKEN')).toBeVisible();
    await dialog.getByRole('button', { name: 'Add to character' }).click();
    await expect(page.getByLabel('Plugins')).toHaveValue(
      '@elizaos/plugin-sql\n@elizaos/plugin-telegram\n@elizaos/plugin-bootstrap',
    );
    await expectAccessible(page);
    await expect(page.getByText('No changes yet.')).toBeHidden();
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await page.waitForURL(`**/cvms/${vmUuid}`);
    await expect
      .poll(
        async () => {
          const cvm = await callApi<{ compose_file: { docker_compose_file: string } | null }>(
            page,
            'get',
            `/cvms/${vmUuid}`,
            { team: slug },
          );
          return cvm.compose_file?.docker_compose_file;
        },
        { timeout: 60_000 },
      )
      .toMatch(/(?=[^]*"name": "Grace")(?=[^]*What is a ship made of\?)(?=[^]*Answer as a captain\.)/);
  });

  await test.step('an earlier character can be compared and restored', async () => {
    await page.goto(`/${slug}/cvms/${vmUuid}/eliza-conf`);
    const versions = page.getByRole('region', { name: 'Earlier versions' });
    await expect(versions.getByText('"name": "Ada"')).toBeVisible({ timeout: 60_000 });
    await expect(versions.getByText('"name": "Grace"').first()).toBeVisible();
    await expectAccessible(page);
    await versions.getByRole('button', { name: 'Edit this version' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada');
    await page.getByRole('link', { name: 'Compose', exact: true }).first().click();
    const question = page.getByRole('alertdialog', { name: 'Discard unsaved changes?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Ada');
  });

  await test.step('a chat shows answers, or why there is none', async () => {
    await page.goto(`/${slug}/cvms/${vmUuid}/eliza-conf`);
    const chat = page.getByRole('region', { name: 'Chat' });
    const send = chat.getByRole('button', { name: 'Send' });
    const message = chat.getByRole('textbox', { name: 'Message' });
    await message.fill('Hello');
    // The container is simulated or serves files, so it doesn't answer.
    await send.click();
    await expect(
      chat.getByText(/The agent failed with status 502|doesn’t return its list of agents/),
    ).toBeVisible();
    await expect(message).toHaveValue('Hello');
    const answer = { session_id: crypto.randomUUID(), reply: 'Ahoy.' };
    await page.route('**/agent/messages', (route) => route.fulfill({ json: answer }));
    await send.click();
    await expect(chat.getByText('Ahoy.')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('an app can be copied', async () => {
    await page.goto(`/${slug}/launch?app=${appId}`);
    await expect(page.getByLabel('App', { exact: true })).toHaveValue(appId);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`**/${slug}/deploy`);
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue(`${NAME}-copy`);
    await expect(page.getByRole('textbox', { name: 'docker-compose.yml' })).toContainText(IMAGE);
  });

  await test.step('a new agent asks before replacing a draft', async () => {
    await page.goto(`/${slug}/launch?way=agent`);
    await page.getByLabel('Name', { exact: true }).fill('Lin');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Replace' }).click();
    await page.waitForURL(`**/${slug}/deploy`);
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('lin-agent');
    await expect(page.getByRole('textbox', { name: 'Value of OPENAI_API_KEY' })).toBeVisible();
  });
  expect(complaints.filter((text) => !text.includes('status of 502'))).toEqual([]);
});

test('shows an empty team, and previews without an account', async ({ page }) => {
  const complaints = watchConsole(page);

  await test.step('previews send no requests, neither to the server nor to the visitor’s wallets', async () => {
    const asked: string[] = [];
    await addOwnWallet(page, (method) => asked.push(method));
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      // Every console page starts with a session request.
      if (pathname.startsWith('/api/') && pathname !== '/api/v1/session') asked.push(pathname);
    });
    for (const [name, title] of [
      ['app-auth-deploy', 'App auth deploy'],
      ['app-auth-management', 'App auth management'],
      ['network', 'Network'],
      ['search-query-builder', 'Search query builder'],
    ] as const) {
      await visit(page, {
        path: `/storybook/${name}`,
        title: `${title} · Component preview`,
        crumbs: null,
        aside: false,
      });
      if (name === 'app-auth-deploy') {
        await expect(page.getByRole('button', { name: 'Send with preview wallet' })).toBeVisible();
        await expect(page.getByText('own wallet')).toHaveCount(0);
        await page.getByLabel('Wallet', { exact: true }).selectOption('No wallet');
        await expect(page.getByText('No wallet was found in this browser.')).toBeVisible();
        await page.getByLabel('State', { exact: true }).selectOption('Deployed in another tab meanwhile');
        await expect(page.getByText('You deployed a contract for this app.')).toBeVisible();
      }
      const state = page.getByLabel('State', { exact: true });
      const options = await state.locator('option').allTextContents();
      expect(options.length).toBeGreaterThan(3);
      await state.selectOption(options[1]!);
      await expect(page.getByRole('heading', { level: 2, name: options[1]! })).toBeVisible();
    }
    expect(asked).toEqual([]);
  });

  const { slug } = await registerUser(page, 'empty');
  const pages: Visit[] = [
    { path: `/${slug}`, title: 'Apps', crumbs: ['Apps'], aside: false },
    { path: `/${slug}/deploy`, title: 'Deploy', crumbs: ['Deploy'], aside: true },
    {
      path: `/${slug}/launch?way=copy`,
      title: 'Launch',
      crumbs: ['Launch'],
      aside: true,
    },
    { path: `/${slug}/members`, title: 'Members', crumbs: ['Members'], aside: true },
    { path: `/${slug}/tokens`, title: 'API tokens', crumbs: ['API tokens'], aside: true },
    { path: '/dashboard', title: 'Dashboard', crumbs: null, aside: false },
  ];
  for (const one of pages) await visit(page, one);
  await openSame(page, { path: '/dashboard/deploy', title: 'Deploy', crumbs: null });
  await openSame(page, { path: '/dashboard/tokens', title: 'API tokens', crumbs: null });
  await openSame(page, { path: '/launch', title: 'Launch', crumbs: null });
  // Without apps, app and CVM pages are empty.
  const app = `/${slug}/apps/${'a'.repeat(40)}`;
  const uuid = '00000000-0000-4000-8000-000000000000';
  for (const path of [
    `${app}/cvms`,
    `${app}/cvms/${uuid}/logs`,
    `/dashboard/apps/${'a'.repeat(40)}/cvms`,
    `/dashboard/cvms/${uuid}/events`,
  ]) {
    await page.goto(path);
    await expect(nothing(page), path).toBeVisible();
  }
  expect(without404(complaints)).toEqual([]);
});
