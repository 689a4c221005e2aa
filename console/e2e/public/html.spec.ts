import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../../server/config';
import { createDb } from '../../../server/db/core/client';
import { connectRunning } from '../../../server/db/core/embedded';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  insertRevision,
} from '../../../server/testing/cvmFixtures';
import { expect, test, type Page } from '../browser';
import { registerOn, startOwnServer, type OwnServer } from '../ownServer';
import { expectAccessible, expectNoSidewaysScroll, watchConsole } from '../support';

/** Every public address of the specification: its HTML as sent by the server, and the page it renders. */

/** Route, an example address, and one that doesn't exist. */
const ADDRESSES: readonly [route: string, path: string, unknown?: string][] = [
  ['/about', '/about'],
  ['/about/billing', '/about/billing'],
  ['/about/pricing', '/about/pricing'],
  ['/cases', '/cases'],
  ['/cases/{slug}', '/cases/private-api-keys', '/cases/nope'],
  ['/{agent_framework}', '/eliza'],
  ['/explorer', '/explorer'],
  ['/explorer/{id}', '/explorer/$app', `/explorer/${'f'.repeat(40)}`],
  ['/features/mcp-hosting', '/features/mcp-hosting'],
  ['/features/mcp-hosting/{slug}', '/features/mcp-hosting/mcp-memory', '/features/mcp-hosting/postgresql'],
  ['/gpu-tee', '/gpu-tee'],
  ['/templates', '/templates'],
  ['/templates/{id}', '/templates/postgresql', '/templates/nope'],
];
/** In addition to the specification's addresses. */
const MORE = ['/explorer/$app/versions/2', '/explorer/verify', '/explorer?q=x&os=dstack-0.6.0&gpu=1', '/'];

let server: OwnServer;
let app = '';
const at = (path: string) => server.url + path.replace('$app', app);

test.beforeAll(async ({ browser }) => {
  server = await startOwnServer({ LOCAL_TEEPOD: 'off' });
  const page = await browser.newPage();
  const email = await registerOn(server, page, 'publisher');
  await page.context().close();
  const database = await connectRunning(loadConfig({ DATA_DIR: server.dataDir }), 'a browser test');
  const db = createDb(database.pool);
  const who = await identityOf(db, email);
  const host = await insertHost(db, { chain_id: 8453 });
  // The longest kind of name: without a break.
  const name = 'html'.repeat(10);
  const made = await insertApp(db, { ...who, host, name });
  const cvm = await insertCvm(db, {
    ...made,
    host,
    change: { listed: true, status: 'stopped', desired: 'stopped' },
  });
  await insertCvm(db, { ...made, host, change: { listed: true, status: 'stopped', desired: 'stopped' } });
  const next = await insertRevision(db, {
    app: made.app,
    number: 2,
    name,
    compose: 'services: {}\n',
  });
  await db.updateTable('cvms').set({ revision_id: next.id }).where('id', '=', cvm.id).execute();
  app = made.app.app_id;
  await database.stop();
});
test.afterAll(() => server?.stop());

test('the addresses match the specification', () => {
  const file = fileURLToPath(new URL('../../../../shared/spec/routes.json', import.meta.url));
  test.skip(!existsSync(file), `nothing at ${file}`);
  const routes = JSON.parse(readFileSync(file, 'utf8')) as { path: string; group: string }[];
  const specified = routes.filter(({ group }) => group === 'public').map(({ path }) => path);
  expect(ADDRESSES.map(([route]) => route).sort()).toEqual(specified.filter((path) => path !== '/').sort());
});

/** Returns what the browser's parser had to repair, and other reasons why the HTML is invalid. */
const faultsOf = (page: Page, html: string) =>
  page.evaluate((source) => {
    const VOID = new Set(['meta', 'link', 'input', 'br', 'img', 'hr', 'wbr', 'source', 'col']);
    const text = source
      .replace(/<!--.*?-->/gs, '')
      .replace(/(<(script|style|title|textarea)\b[^>]*>).*?(<\/\2>)/gs, '$1$3');
    const sent = [...text.matchAll(/<(\/?[a-z][\w-]*)\b[^>]*>/gi)].map(([, tag = '']) => tag.toLowerCase());
    const parsed: string[] = [];
    const walk = (node: Element) => {
      const tag = node.localName;
      parsed.push(tag);
      for (const child of node.children) walk(child);
      if (!VOID.has(tag)) parsed.push(`/${tag}`);
    };
    const tree = new DOMParser().parseFromString(source, 'text/html');
    walk(tree.documentElement);
    const first = sent.findIndex((tag, i) => tag !== parsed[i]);
    const faults =
      first < 0 && sent.length === parsed.length
        ? []
        : [`repaired at ${sent.slice(first, first + 6).join(' ')}`];
    const ids = [...tree.querySelectorAll('[id]')].map(({ id }) => id);
    faults.push(...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `id ${id} appears twice`));
    for (const name of ['aria-labelledby', 'aria-describedby', 'popovertarget', 'for'])
      for (const node of tree.querySelectorAll(`[${name}]`))
        for (const id of (node.getAttribute(name) ?? '').split(' '))
          if (!tree.getElementById(id)) faults.push(`${name} names ${id}, which isn't there`);
    const only = (what: string) => {
      const { length } = tree.querySelectorAll(what);
      if (length !== 1) faults.push(`${length} of ${what}`);
    };
    ['h1', 'main', 'title', 'meta[name=description][content]', 'link[rel=canonical][href]'].forEach(only);
    // Pages that search engines must not list have no structured data.
    const data = [...tree.querySelectorAll('script[type="application/ld+json"]')];
    if (data.length !== (tree.querySelector('meta[name=robots][content=noindex]') ? 0 : 1))
      faults.push(`${data.length} of structured data`);
    for (const one of data) JSON.parse(one.textContent ?? '');
    return faults;
  }, html);

test('each arrives under curl as a complete, valid document', async ({ page }) => {
  await page.goto(at('/about'));
  // A parser that repairs nothing would prove nothing.
  expect(
    await faultsOf(page, '<!doctype html><html><head></head><body><p><div></div></p></body></html>'),
  ).toContain('repaired at div /div /p /body /html');
  for (const path of [...ADDRESSES.map(([, example]) => example), ...MORE]) {
    const answer = await fetch(at(path), { headers: { accept: '*/*', 'user-agent': 'curl/8.5.0' } });
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ]);
    expect([path, await faultsOf(page, await answer.text())]).toEqual([path, []]);
  }
  for (const [, , unknown] of ADDRESSES.filter((row) => row.length > 2)) {
    const answer = await fetch(at(unknown ?? ''), { headers: { accept: '*/*' } });
    expect([unknown, answer.status]).toEqual([unknown, 404]);
    expect([unknown, await faultsOf(page, await answer.text())]).toEqual([unknown, []]);
  }
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`app pages are accessible, fit every width and load nothing from elsewhere, in ${colorScheme}`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    const complaints = watchConsole(page);
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== server.url) foreign.push(request.url());
    });
    for (const path of ['/explorer', '/explorer/$app', '/explorer/$app/versions/2', '/widget/app/$app']) {
      await page.goto(at(path));
      if (!path.includes('versions') && path !== '/explorer')
        await expect(page.getByText('Checked in this browser')).toContainText('there is no earlier evidence');
      // Without evidence there is no file to check offline.
      await expect(page.getByText('Offline:')).toHaveCount(0);
      for (const width of [390, 1920, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await expectNoSidewaysScroll(page);
        // In the dark scheme only the colors change, and above 1280 px only the surrounding space.
        if (width === 1280 || (width === 390 && colorScheme === 'light')) await expectAccessible(page);
      }
    }
    expect([complaints, foreign]).toEqual([[], []]);
    await context.close();
  });

test('a page stays readable if its script can’t be loaded', async ({ page }) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.route('**/public/assets/*.js', (route) => route.abort());
  await page.goto(at('/about/pricing'));
  // The page reloads three times and then stays as it is.
  await expect(async () => {
    const attempts = await page.evaluate(() => sessionStorage.getItem('teehouse.start_retries'));
    expect(attempts).toBe('4');
  }).toPass();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pricing');
  await expect(page.getByRole('region', { name: 'Sizes and prices' })).toBeVisible();
  expect(errors).toEqual([]);
});
