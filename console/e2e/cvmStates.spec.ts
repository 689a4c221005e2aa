import { expect, test, type Page } from './browser';
import { readFileSync } from 'node:fs';
import { withoutStatus } from './accounts';
import { expectAccessible, expectNoSidewaysScroll, registerUser, watchConsole } from './support';

/** CVM pages in states that are hard to reach, based on the API document's examples. */

interface Document {
  components: { examples: Record<string, { value: Record<string, unknown> }> };
}
const { examples } = (JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document).components;
const example = (name: string) => structuredClone(examples[name]?.value ?? {});

const UUID = '3f0c1a52-6d1f-4b7b-9b54-0d6a1b6a6f10';
const OPERATION = '9b54f10e-1111-4222-8333-0d6a1b6a6f10';
const CAUSE = 'Error response from daemon: pull access denied for acme/web, repository does not exist';
const OUTPUT = `failed to start containers: Network web_default Created | ${CAUSE} | exit status 1`;
const REASON = `Boot error: ${OUTPUT}`;
const at = (second: number) => new Date(Date.UTC(2026, 10, 23, 4, 0, second)).toISOString();

const failed = {
  ...example('CvmDetail'),
  name: 'failing-web',
  vm_uuid: UUID,
  status: 'error',
  in_progress: false,
  status_reason: REASON,
  status_reason_keys: [{ id: 'boot_error', params: { text: OUTPUT } }],
  boot_error: OUTPUT,
  uptime: null,
  operation: {
    ...(example('Operation') as object),
    correlation_id: OPERATION,
    type: 'start',
    state: 'failed',
  },
};

const operation = {
  ...example('Operation'),
  correlation_id: OPERATION,
  type: 'start',
  state: 'failed',
  steps: [
    {
      id: 'start',
      name: 'start',
      state: 'done',
      started_at: at(0),
      finished_at: at(3),
      detail: null,
      detail_keys: [],
    },
    {
      id: 'boot',
      name: 'boot',
      state: 'failed',
      started_at: at(3),
      finished_at: at(42),
      detail: REASON,
      detail_keys: [],
    },
  ],
  error: {
    code: 'ERR-03-001',
    message: REASON,
    message_keys: [],
    what_to_do: 'Check the serial log.',
  },
  finished_at: at(42),
};

const ada = { object_type: 'user', id: 'usr_3Fk9', username: 'ada', avatar_url: null };
const event = (id: number, kind: string, message: string, second: number, more: object = {}) => ({
  ...example('ActivityEvent'),
  id: String(id),
  kind,
  severity: 'info',
  message,
  created_at: at(second),
  correlation_id: OPERATION,
  actor: null,
  data: {},
  ...more,
});
const events = [
  event(16, 'start.failed', `Start failed: ${REASON}`, 42, { severity: 'error' }),
  event(15, 'host.boot.error', REASON, 41, { severity: 'error' }),
  event(14, 'host.boot.progress', 'Boot: starting containers', 12),
  event(13, 'host.boot.progress', 'Boot: requesting app keys', 6),
  event(12, 'start.requested', 'Start requested', 0, { actor: ada }),
];

async function serve(page: Page, cvm: object): Promise<void> {
  await page.route(`**/api/v1/cvms/${UUID}**`, (route) => route.fulfill({ json: cvm }));
  await page.route(`**/api/v1/cvms/${UUID}/**`, (route) =>
    route.fulfill({ status: 404, json: { detail: 'None' } }),
  );
  await page.route(`**/api/v1/cvms/${UUID}/operations**`, (route) =>
    route.fulfill({ json: { data: [operation], pagination: { has_more: false, next_cursor: null } } }),
  );
  await page.route(`**/api/v1/operations/${OPERATION}**`, (route) => route.fulfill({ json: operation }));
  await page.route(/\/api\/v1\/events(\?|$)/, (route) =>
    route.fulfill({ json: { data: events, pagination: { has_more: false, next_cursor: null } } }),
  );
}

test('shows a boot error once, with its most specific line, and one row per operation', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'failing');
  await serve(page, failed);
  await page.goto(`/${slug}/cvms/${UUID}`);
  const main = page.getByRole('main');

  await test.step('the cause is on the page once', async () => {
    const box = main.getByRole('alert').filter({ hasText: 'failing-web failed to boot' });
    await expect(box.getByText(CAUSE, { exact: true })).toBeVisible();
    await expect(main.getByRole('heading', { name: 'Start', exact: true })).toBeVisible();
    await expect(main.getByRole('list', { name: 'Recent events' })).toBeVisible();
    await expect(main.getByText(CAUSE, { exact: false }).filter({ visible: true })).toHaveCount(1);
    await expect(box.getByRole('link', { name: 'Open the serial console' })).toBeVisible();
    await box.getByText('Details', { exact: true }).click();
    await expect(box.getByLabel('Full output')).toContainText('Network web_default Created');
    await expectAccessible(page);
  });

  await test.step('the operation is one row with actor and duration', async () => {
    const list = main.getByRole('list', { name: 'Recent events' });
    await expect(list.getByText('Start failed')).toBeVisible();
    await expect(list.getByText('ada · took 42 s')).toBeVisible();
    await expect(list.getByText('Boot: starting containers')).toBeHidden();
    await list.getByText('2 steps').click();
    await expect(list.getByText('Boot: starting containers')).toBeVisible();
  });

  await test.step('the same holds on the events tab, where its row shows the cause once', async () => {
    await page.goto(`/${slug}/cvms/${UUID}/events`);
    const rows = main.getByRole('list', { name: 'Events', exact: true }).locator(':scope > li');
    await expect(rows).toHaveCount(1);
    await expect(rows).toContainText(/ada · took 42 s · 2 steps/);
    await rows.getByRole('button').first().click();
    await expect(rows.getByRole('list', { name: 'Steps', exact: true })).toBeVisible();
    await expect(rows.getByText(CAUSE, { exact: false }).filter({ visible: true })).toHaveCount(1);
    await expectAccessible(page);
  });

  await test.step('its log ended instead of reconnecting', async () => {
    await page.route('**/logs/**', (route) => route.fulfill({ body: '' }));
    await page.goto(`/${slug}/cvms/${UUID}/logs?source=serial`);
    const viewer = page.getByRole('region', { name: / log$/ });
    await expect(viewer.getByRole('status').filter({ hasText: /^Ended$/ })).toBeVisible();
    await expect(page.getByRole('link', { name: 'View the failed operation' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/${slug}/cvms/${UUID}`);
    await expect(main.getByText(CAUSE, { exact: true })).toBeVisible();
    await expectNoSidewaysScroll(page);
  });
  expect(withoutStatus(complaints, 404)).toEqual([]);
});

const LOST_REASON =
  "The host alpha responds but doesn't list this CVM's VM. Its disk may still be there, so nothing is created in its place.";
const lost = {
  ...example('CvmDetail'),
  name: 'lost-web',
  vm_uuid: UUID,
  status: 'lost',
  in_progress: false,
  status_reason: LOST_REASON,
  status_reason_keys: [{ id: 'lost_not_listed', params: { host: 'alpha' } }],
  lost_since: at(0),
  uptime: null,
  operation: null,
};

test('a lost CVM shows what is known, and is given up by typing its name', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'loser');
  await serve(page, lost);
  const sent: unknown[] = [];
  await page.route(/\/api\/v1\/cvms\/[^/]+\/give-up$/, (route) => {
    sent.push(route.request().postDataJSON());
    return route.fulfill({ json: { ...example('CvmActionResult'), status: 'starting' } });
  });
  await page.goto(`/${slug}/cvms/${UUID}`);
  const main = page.getByRole('main');
  const notice = main.getByRole('note').filter({ hasText: 'lost-web is lost.' });

  await test.step('shows since when, why, and that nothing is billed', async () => {
    await expect(notice).toContainText('Last listed');
    await expect(notice).toContainText(LOST_REASON.replaceAll("'", '’'));
    await expect(main.getByText('$0.00', { exact: false }).first()).toBeVisible();
    // Beside what it costs once it runs.
    await expect(main.getByText(/\$[\d.]+ \/ hour while running$/)).toBeVisible();
    for (const name of ['Start', 'Stop', 'Restart'])
      await expect(page.getByRole('button', { name, exact: true })).toBeHidden();
    await expectAccessible(page);
  });

  await test.step('giving it up requires its name', async () => {
    await notice.getByRole('button', { name: 'Give up…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Give up lost-web’s disk?' });
    const confirm = dialog.getByRole('button', { name: 'Start with an empty disk' });
    await expect(confirm).toBeDisabled();
    await expectAccessible(page);
    await dialog.getByLabel(/^Type “.*” to confirm$/).fill('lost-web');
    await confirm.click();
    await expect(dialog).toBeHidden();
    expect(sent).toEqual([{ name: 'lost-web' }]);
  });

  await test.step('on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(notice).toBeVisible();
    await expectNoSidewaysScroll(page);
  });
  expect(withoutStatus(complaints, 404)).toEqual([]);
});

test('a button that is replaced leaves the focus to the one in its place', async ({ page }) => {
  const { slug } = await registerUser(page, 'presser');
  const cvm = { ...failed, name: 'pressed-web', status: 'running', boot_error: null, operation: null };
  await serve(page, cvm);
  await page.route(/\/api\/v1\/cvms\/[^/]+\/(start|shutdown)$/, (route) => {
    cvm.status = route.request().url().endsWith('/start') ? 'starting' : 'stopped';
    return route.fulfill({ json: { ...example('CvmActionResult'), status: cvm.status } });
  });
  await page.goto(`/${slug}/cvms/${UUID}`);
  const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
  const confirm = async (name: string) => {
    await button(name).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).press('Enter');
    await expect(page.getByRole('dialog')).toBeHidden();
  };
  await confirm('Stop');
  await expect(button('Start')).toBeFocused();
  await confirm('Start');
  await expect(button('Stop')).toBeFocused();
});

const APP = '50b0ffd2d4bd4b8ec1f01d8aa23e5b0d2f6c8cc1';
const DIGEST = 'c0ffee'.repeat(10) + 'cafe';
const compose = (tag: string) => `services:
  web:
    image: registry.example.test/acme/web-frontend:${tag}@sha256:${DIGEST}
    environment:
      - GREETING=\${GREETING}
    ports:
      - "80:80"
`;

/** The first revision, or the second, which changes one line. */
const revision = (number: 1 | 2) => ({
  ...example('AppRevisionDetail'),
  revision_id: `rev_${number}`,
  revision_number: number,
  state: number === 2 ? 'live' : 'superseded',
  compose_hash: String(number).repeat(64),
  docker_compose_file: compose(`v${number}`),
});

test('a revision diff has room for its lines at every width', async ({ page }) => {
  const { slug } = await registerUser(page, 'differ');
  await page.route(`**/api/v1/apps/${APP}**`, (route) =>
    route.fulfill({ json: { ...example('App'), app_id: APP, name: 'web', cvms: [] } }),
  );
  await page.route(`**/api/v1/apps/${APP}/**`, (route) => {
    const [resource, id] = new URL(route.request().url()).pathname.split(`${APP}/`)[1]?.split('/') ?? [];
    if (resource === 'cvms') return route.fulfill({ json: [] });
    if (resource !== 'revisions') return route.fulfill({ status: 404, json: { detail: 'None' } });
    if (id !== undefined) return route.fulfill({ json: revision(id === 'rev_1' ? 1 : 2) });
    return route.fulfill({ json: { ...example('AppRevisionPage'), revisions: [revision(2), revision(1)] } });
  });
  const diff = page.getByRole('region', { name: /^docker-compose.yml: / });
  const widthOf = async (text: string) =>
    (await diff.getByText(text, { exact: false }).first().boundingBox())?.width ?? 0;
  for (const [width, sides] of [
    [390, 1],
    [1280, null],
    [1920, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/${slug}/apps/${APP}/revisions?from=rev_1&to=rev_2`);
    await expect(diff).toBeVisible();
    const frame = (await diff.boundingBox())?.width ?? 0;
    const columns = await diff.locator('col').count();
    if (sides !== null) expect(columns, `${width}`).toBe(2 * sides);
    // Line numbers take less than a tenth of a side; the rest is text.
    expect(await widthOf('web-frontend:v1'), `${width}`).toBeGreaterThan((frame / (columns / 2)) * 0.8);
    const summary = page.getByRole('region', { name: 'Summary of both revisions' });
    expect(await summary.evaluate((box) => box.scrollWidth - box.clientWidth), `${width}`).toBe(0);
    await expectNoSidewaysScroll(page);
  }
  await expectAccessible(page);
});
