import { readFile } from 'node:fs/promises';
import { expect, test } from '../browser';
import {
  baseURL,
  deployInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  onDatabase,
  registerInBrowser,
  registerUser,
  watchConsole,
} from '../support';

/* A team's costs and usage. */

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: sleep 100000
`;

test('cost and usage show a CVM’s daily cost, with the choice in the address', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'spender');

  await test.step('without usage, both pages say so', async () => {
    await page.getByRole('link', { name: 'Cost', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Cost' })).toBeVisible();
    await expect(page.getByText('No usage in this period.')).toBeVisible();
    await expect(page.getByText('No current costs.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Usage', exact: true }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
    await expect(page.getByText('No usage in this period.')).toBeVisible();
    await expectAccessible(page);
  });

  await deployInBrowser(page, slug, { name: 'spending-app', compose: COMPOSE });
  // Simulates nine days of running.
  await onDatabase(
    `update cvm_state_changes s set at = s.at - interval '9 days' from cvms c join teams t on t.id = c.team_id
     where s.cvm_id = c.id and t.slug = $1`,
    [slug],
  );
  await onDatabase(
    `update usage_meters m set billed_from = now() - interval '9 days', closed_until = date_trunc('second', now() - interval '9 days')
     from teams t where m.team_id = t.id and t.slug = $1 and m.change_id is null`,
    [slug],
  );

  await test.step('the cost page shows the app, its share, its price and the savings from stopping it', async () => {
    await page.goto(`/cost?team=${slug}&period=30-days`);
    const costs = page.getByRole('table', { name: 'costs' });
    await expect(costs.getByRole('link', { name: 'spending-app' })).toBeVisible();
    await expect(costs.getByText('100.0%')).toBeVisible();
    await expect(page.getByRole('figure', { name: 'Daily cost' })).toBeVisible();
    await expect(page.getByRole('heading', { name: /^Forecast for / })).toBeVisible();
    await expect(page.getByRole('term').filter({ hasText: 'Expected' })).toBeVisible();
    const prices = page.getByRole('table', { name: 'current prices' });
    await expect(prices.getByText(/^Saves \$/)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a grouping is in the address and survives a reload', async () => {
    await page.getByLabel('Group by').selectOption('Service');
    await expect(page).toHaveURL(/by=basis/);
    await expect(page.getByRole('table', { name: 'costs' }).getByText('vCPUs and memory')).toBeVisible();
    await page.getByLabel('Period').selectOption('Last 7 days');
    await expect(page).toHaveURL(/period=7-days/);
    await page.reload();
    await expect(page.getByLabel('Group by')).toHaveValue('basis');
    await expect(page.getByLabel('Period')).toHaveValue('7-days');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    // Related buttons stay on one line.
    const main = page.getByRole('main');
    const pair = ['Usage', 'Billing'].map((name) => main.getByRole('link', { name }));
    const tops = await Promise.all(pair.map(async (one) => (await one.boundingBox())?.y));
    expect(new Set(tops).size, JSON.stringify(tops)).toBe(1);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('the file has the displayed data, by day', async () => {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/-cost-by-basis-[\d-]+\.csv$/);
    expect(await readFile(await file.path(), 'utf8')).toMatch(/^day,service,id,usd\r\n[\d-]+,/);
  });

  await test.step('the usage page has a chart for each resource, read by keyboard, and a table', async () => {
    await page.goto(`/usage?team=${slug}&period=7-days`);
    for (const name of ['vCPU-hours', 'Memory', 'Disk'])
      await expect(page.getByRole('figure', { name, exact: true })).toBeVisible();
    await expect(page.getByRole('figure', { name: 'GPU-hours' })).toBeHidden();
    const hand = page.getByRole('slider', { name: /^vCPU-hours in hours, last 7 days/ });
    await hand.focus();
    await page.keyboard.press('Home');
    await expect(hand).toHaveAttribute('aria-valuetext', /^\w+ \d+: [\d.]+ h/);
    await expect(page.getByRole('table', { name: 'usage of apps' }).getByText('spending-app')).toBeVisible();
    await page.getByLabel('Group by').selectOption('CVM');
    await expect(page).toHaveURL(/by=cvm/);
    await expect(page.getByRole('table', { name: 'usage of CVMs' })).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
  });

  await test.step('the file has a line per hour', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text).toMatch(/^app,cvm,vm_uuid,from,to,/);
    expect(text).toContain('spending-app');
    const excel = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download Excel' }).click();
    const file = await excel;
    expect(file.suggestedFilename()).toMatch(/-usage-[\d-]+\.xlsx$/);
    // A zip archive.
    expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK');
  });
  expect(complaints).toEqual([]);
});

test('viewers are refused, with the reason', async ({ page, browser }) => {
  const { slug } = await registerUser(page, 'owner');
  const other = await (await browser.newContext({ baseURL: baseURL() })).newPage();
  const { email } = await registerUser(other, 'viewer');
  await onDatabase(
    `insert into memberships (team_id, user_id, role) select t.id, u.id, 'viewer' from teams t, users u where t.slug = $1 and u.email = $2`,
    [slug, email],
  );
  for (const address of ['/cost', '/usage']) {
    await other.goto(`${address}?team=${slug}`);
    await expect(other.getByText('You don’t have access to billing')).toBeVisible();
    await expectAccessible(other);
  }
});
