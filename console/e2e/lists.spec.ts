import { expect, test, type Page } from './browser';
import { readFileSync } from 'node:fs';
import {
  accessibilityFaults,
  expectAccessible,
  expectNoSidewaysScroll,
  registerUser,
  watchConsole,
} from './support';
import { layoutShift } from './walk';

/**
 * The app and CVM lists: sorting, selection, bulk actions and deleting an app, with responses shaped like the API
 * document's.
 */

interface Document {
  components: { examples: Record<string, { value: Record<string, unknown> }> };
}
const { examples } = (JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document).components;
const example = (name: string) => structuredClone(examples[name]?.value ?? {});

type Row = Record<string, unknown> & { id: string; name: string; status: string };

const uuid = (n: number) => `3f0c1a52-6d1f-4b7b-9b54-${String(n).padStart(12, '0')}`;
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString();
const hex = (digit: number) => String(digit).repeat(40);

function cvm(n: number, name: string, status: string, app_id: string): Row {
  return {
    ...example('CvmDetail'),
    id: `cvm_${n}`,
    vm_uuid: uuid(n),
    app_id,
    name,
    status,
    desired_status: status === 'stopped' ? 'stopped' : 'running',
    in_progress: false,
    status_reason: null,
    status_reason_keys: [],
    operation: null,
    hourly_rate: { total: `0.0${n}`, compute: `0.0${n}`, disk: '0.00', stopped: '0.00', after_order: null },
    created_at: at(n),
    updated_at: at(n),
  };
}

function app(digit: number, name: string, cvms: Row[]) {
  return {
    ...example('App'),
    app_id: hex(digit),
    name,
    created_at: at(digit),
    archived_at: null,
    cvms,
    cvm_count: cvms.length,
    current_cvm: cvms[0],
  };
}

interface Served {
  apps: ReturnType<typeof app>[];
  /** Query strings of app list requests. */
  asked: URLSearchParams[];
  /** Such as `POST stop web-1`, in order. */
  sent: string[];
  /** Names of CVMs for which the server rejects everything. */
  refused: Set<string>;
}

const NO_COSTS = {
  hourly_rate: '0.00',
  hourly_rate_after_orders: null,
  recycled_cvm_count: 0,
  recycled_hourly_rate: '0.00',
};

/** Serves three apps with four CVMs and records operations. */
async function serve(page: Page): Promise<Served> {
  const served: Served = {
    apps: [
      app(1, 'web', [cvm(1, 'web-1', 'running', hex(1)), cvm(2, 'web-2', 'stopped', hex(1))]),
      app(2, 'api', [cvm(3, 'api', 'running', hex(2))]),
      app(3, 'jobs', [cvm(4, 'jobs', 'stopped', hex(3))]),
    ],
    asked: [],
    sent: [],
    refused: new Set(),
  };
  const cvms = () => served.apps.flatMap((one) => one.cvms);
  const json = { contentType: 'application/json' };
  await page.route(/\/api\/v1\/apps\?/, (route) => {
    const query = new URL(route.request().url()).searchParams;
    served.asked.push(query);
    const sorted = served.apps.toSorted((a, b) => a.name.localeCompare(b.name));
    const apps = query.get('sort') === 'name' ? sorted : served.apps;
    const dstack_apps = query.get('order') === 'desc' ? apps.toReversed() : apps;
    const total = dstack_apps.length;
    return route.fulfill({ json: { dstack_apps, page: 1, page_size: 25, total, total_pages: 1 } });
  });
  await page.route(/\/api\/v1\/apps\/summary$/, (route) => {
    const all = cvms().map(({ status }) => status);
    const statuses = [...new Set(all)].map((status) => ({
      status,
      cvm_count: all.filter((one) => one === status).length,
    }));
    return route.fulfill({ json: { ...NO_COSTS, cvm_count: all.length, statuses } });
  });
  await page.route(/\/api\/v1\/apps\/\d{40}$/, (route) => {
    const found = served.apps.find((one) => route.request().url().endsWith(one.app_id));
    return route.fulfill({ json: found ?? { ...app(1, 'web', []), archived_at: at(50) } });
  });
  await page.route(/\/api\/v1\/apps\/\d{40}\/cvms$/, (route) =>
    route.fulfill({
      json: served.apps.find((one) => route.request().url().includes(one.app_id))?.cvms ?? [],
    }),
  );
  await page.route(/\/api\/v1\/apps\/\d{40}\/rollouts/, (route) =>
    route.fulfill({ json: { data: [], pagination: { has_more: false, next_cursor: null } } }),
  );
  await page.route(/\/api\/v1\/cvms\/cvm_\d+(\/\w+)?$/, (route) => {
    const [, id, verb = 'delete'] = /\/cvms\/(cvm_\d+)\/?(\w+)?$/.exec(route.request().url()) ?? [];
    const found = cvms().find((one) => one.id === id);
    served.sent.push(`${verb} ${found?.name}`);
    if (found && served.refused.has(found.name))
      return route.fulfill({
        ...json,
        status: 409,
        json: { detail: 'Deletion protection is on.', code: 'ERR-03-006' },
      });
    if (verb === 'delete')
      served.apps = served.apps
        .map((one) => ({ ...one, cvms: one.cvms.filter((other) => other.id !== id) }))
        .filter((one) => one.cvms.length > 0);
    else if (found) found.status = verb === 'shutdown' ? 'stopped' : 'running';
    return verb === 'delete' ? route.fulfill({ status: 204 }) : route.fulfill({ json: found ?? {} });
  });
  return served;
}

const names = (page: Page) => page.getByRole('table', { name: 'apps' }).getByRole('link');
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });

test('sorts apps by the address and acts on a selection', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'lists');
  const served = await serve(page);
  const { sum } = await layoutShift(page, `/${slug}`, () => expect(names(page)).toHaveCount(3));
  expect(sum).toBeLessThanOrEqual(0.05);
  const table = page.getByRole('table', { name: 'apps' });

  await test.step('by column, in both directions, kept in the address', async () => {
    await expect(names(page)).toHaveText(['web', 'api', 'jobs']);
    await table.getByRole('button', { name: 'Name' }).click();
    await expect(page).toHaveURL(/\?sort=name$/);
    await expect(names(page)).toHaveText(['api', 'jobs', 'web']);
    await expect(table.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
    await table.getByRole('button', { name: 'Name' }).click();
    await expect(page).toHaveURL(/\?sort=name&order=desc$/);
    await expect(names(page)).toHaveText(['web', 'jobs', 'api']);
    await page.reload();
    await expect(names(page)).toHaveText(['web', 'jobs', 'api']);
    expect(served.asked.at(-1)?.get('sort')).toBe('name');
    await page.goBack();
    await expect(names(page)).toHaveText(['api', 'jobs', 'web']);
    await table.getByRole('button', { name: 'Cost per hour' }).click();
    await expect.poll(() => served.asked.at(-1)?.get('sort')).toBe('hourly_cost');
  });

  await test.step('a slow search keeps the list on screen and the focus in its box', async () => {
    const slow = /\/api\/v1\/apps\?.*search=/;
    await page.route(slow, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await route.fallback();
    });
    const box = page.getByRole('searchbox', { name: 'Search apps' });
    await box.pressSequentially('we');
    await page.waitForRequest(slow);
    await expect(table).toBeVisible();
    await box.page().keyboard.type('b');
    await expect(box).toHaveValue('web');
    await expect(page).toHaveURL(/q=web/);
    await expect(box).toBeFocused();
    await box.fill('');
    await expect(page).not.toHaveURL(/q=/);
    await page.unroute(slow);
  });

  await test.step('a page beyond the last one leads to the last', async () => {
    await page.goto(`/${slug}?page=3`);
    await expect(page).toHaveURL(new RegExp(`/${slug}$`));
    await expect(names(page)).toHaveCount(3);
  });

  await test.step('the bar shows how many of the selected apps each action applies to', async () => {
    await page.getByRole('checkbox', { name: 'Select jobs' }).focus();
    await page.keyboard.press('Space');
    await expect(bar(page)).toContainText('1 app selected');
    await expect(page.getByRole('status').filter({ hasText: '1 selected' })).toBeAttached();
    await expect(bar(page).getByRole('button', { name: /^Stop/ })).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await expect(bar(page)).toContainText('3 apps selected');
    await expect(bar(page).getByRole('button', { name: 'Start 2…', exact: true })).toBeVisible();
    await expect(bar(page).getByRole('button', { name: 'Delete 3…' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('stops the running apps, names them, and reports failures', async () => {
    served.refused.add('api');
    await bar(page).getByRole('button', { name: 'Stop 2…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop 2 apps?' });
    await expect(dialog.getByRole('list', { name: 'CVMs to stop (2)' }).getByRole('listitem')).toHaveCount(2);
    await expect(dialog.getByRole('list', { name: 'Skipped (1)' })).toContainText('web-2: It isn’t running.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Stop 2 apps' }).click();
    await expect(dialog.getByRole('alert')).toContainText('api: Deletion protection is on.');
    expect(served.sent.toSorted()).toEqual(['shutdown api', 'shutdown web-1']);
    served.refused.clear();
    await dialog.getByRole('button', { name: 'Retry 1' }).click();
    await expect(dialog).toBeHidden();
    await expect(bar(page)).toBeHidden();
    expect(served.sent.slice(2)).toEqual(['shutdown api']);
  });

  await test.step('a row has the same actions', async () => {
    await page.getByRole('button', { name: 'Actions for web', exact: true }).click();
    await expect(page.getByRole('menuitem', { name: 'Stop…' })).toBeDisabled();
    await page.getByRole('menuitem', { name: 'Start…', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Start app web?' });
    await expect(dialog).toContainText(/Cost: \$[\d.]+ → \$[\d.]+/);
    await dialog.getByRole('button', { name: 'Start app' }).click();
    await expect(dialog).toBeHidden();
    expect(served.sent.slice(3).toSorted()).toEqual(['start web-1', 'start web-2']);
  });

  await test.step('deletes an app after its name is typed', async () => {
    await page.getByRole('button', { name: 'Actions for jobs', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete app…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete app jobs?' });
    await expect(dialog).toContainText('recycle bin');
    await expect(dialog.getByRole('button', { name: 'Delete app' })).toBeDisabled();
    await dialog.getByLabel(/^Type “.*” to confirm$/).fill('jobs');
    await dialog.getByRole('button', { name: 'Delete app' }).click();
    await expect(dialog).toBeHidden();
    await expect(names(page)).toHaveText(['web', 'api']);
    await expect(page.getByRole('link', { name: 'Recycle bin', exact: true }).first()).toBeVisible();
  });

  await test.step('on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('checkbox', { name: 'Select web' }).check();
    await expectNoSidewaysScroll(page);
    expect(await accessibilityFaults(page)).toEqual([]);
  });
  expect(complaints.filter((text) => !text.includes('status of 409'))).toEqual([]);
});

test('sorts an app’s CVMs, acts on several, and deletes the app from its page', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'replicas');
  const served = await serve(page);
  await page.goto(`/${slug}/apps/${hex(1)}/cvms`);
  const table = page.getByRole('table', { name: 'CVMs' });
  const links = table.getByRole('link');
  await expect(links).toHaveText(['web-1', 'web-2']);

  await table.getByRole('button', { name: 'Name' }).click();
  await table.getByRole('button', { name: 'Name' }).click();
  await expect(page).toHaveURL(/\/cvms\?sort=name&order=desc$/);
  await expect(links).toHaveText(['web-2', 'web-1']);
  await page.reload();
  await expect(links).toHaveText(['web-2', 'web-1']);
  await expect(table.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending');

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await expect(bar(page)).toContainText('2 CVMs selected');
  await expectAccessible(page);
  await bar(page).getByRole('button', { name: 'Restart 1…' }).click();
  const restart = page.getByRole('dialog', { name: 'Restart web-1?' });
  await expect(restart.getByRole('list', { name: 'Skipped (1)' })).toContainText('web-2');
  await restart.getByRole('button', { name: 'Restart', exact: true }).click();
  await expect(restart).toBeHidden();
  expect(served.sent).toEqual(['restart web-1']);

  await page.getByRole('button', { name: 'Actions for web-2', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Start…', exact: true }).click();
  const start = page.getByRole('dialog', { name: 'Start web-2?' });
  await expect(start).toContainText(/Cost: \$[\d.]+ → \$[\d.]+/);
  await start.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(start).toBeHidden();
  expect(served.sent).toEqual(['restart web-1', 'start web-2']);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete app…' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Delete app web?' });
  await expect(dialog).toContainText('Its addresses become unavailable.');
  await expect(dialog.getByRole('list', { name: 'CVMs to delete (2)' })).toContainText('web-1');
  await dialog.getByLabel(/^Type “.*” to confirm$/).fill('web');
  await dialog.getByRole('button', { name: 'Delete app' }).click();
  await page.waitForURL(`**/${slug}`);
  await expect(names(page)).toHaveText(['api', 'jobs']);
  expect(served.sent.slice(2).toSorted()).toEqual(['delete web-1', 'delete web-2']);
  expect(complaints).toEqual([]);
});

test('names are fully visible on phones, whatever is beside them', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'names');
  const served = await serve(page);
  const name = `checkout-and-payments-of-the-european-storefront-replica-${'9'.repeat(6)}`;
  served.apps = [app(1, name, [cvm(1, `${name}-1`.slice(-63), 'running', hex(1))])];
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [address, table] of [
    [`/${slug}`, 'apps'],
    [`/${slug}/apps/${hex(1)}/cvms`, 'CVMs'],
  ] as const) {
    await page.goto(address);
    const link = page.getByRole('table', { name: table }).getByRole('link').first();
    await expect(link).toContainText('european-storefront');
    expect(await link.evaluate((one) => one.scrollWidth - one.clientWidth), address).toBeLessThanOrEqual(1);
    await expectNoSidewaysScroll(page);
  }
  // The action and its target.
  await page.route(/\/audit[^/]*\?/, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { action: string; after: unknown }[] };
    const data = body.data.map((entry) => ({
      ...entry,
      action: 'cvm.schedule_deletion_of_replica',
      after: { name },
    }));
    await route.fulfill({ response: answer, json: { ...body, data } });
  });
  await page.goto(`/${slug}/members?tab=audit`);
  const entries = page.getByRole('table', { name: 'Audit entries' });
  await expect(entries.getByText(name).first()).toBeVisible();
  const cut = await entries
    .locator('td[data-first] code, td[data-phone="meta"]')
    .evaluateAll((cells) =>
      cells.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent),
    );
  expect(cut).toEqual([]);
  expect(complaints).toEqual([]);
});
