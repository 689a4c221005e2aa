import { readFile } from 'node:fs/promises';
import { expect, test } from './browser';
import { deployInBrowser, expectAccessible, IMAGE, registerUser, watchConsole } from './support';

/** Prints a line every 100 ms, and one line only once. */
const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: sh -c 'echo "said once"; i=0; while true; do i=$$((i+1)); echo "tick $$i"; sleep 0.1; done'
`;

test('follows, searches, pauses and downloads a container log and shows why it ended', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'reader');
  const cvm = await deployInBrowser(page, slug, { name: 'ticking-app', compose: COMPOSE, publicLogs: true });
  await page.getByRole('navigation').getByRole('link', { name: 'Logs' }).click();
  await page.waitForURL(`**${cvm}/logs`);

  const viewer = page.getByRole('region', { name: / log$/ });
  const log = page.getByRole('log');
  const state = viewer
    .getByRole('status')
    .filter({ hasText: /^(Live|Paused|Ended|Connecting|Reconnecting|Waiting)$/ });
  const search = page.getByRole('searchbox', { name: 'Search the log' });
  /** The highest visible number. */
  const latest = async () =>
    Math.max(0, ...[...(await log.innerText()).matchAll(/tick (\d+)/g)].map(([, n]) => Number(n)));

  await test.step('follows live', async () => {
    await expect(state).toHaveText('Live');
    await expect.poll(latest).toBeGreaterThan(0);
    const before = await latest();
    await expect.poll(latest).toBeGreaterThan(before + 10);
    await expectAccessible(page);
  });

  await test.step('search counts, highlights and jumps to matches', async () => {
    await page.keyboard.press('/');
    await expect(search).toBeFocused();
    await search.fill('said once');
    await expect(viewer.getByRole('status').filter({ hasText: /^1$/ })).toBeVisible();
    await search.press('Enter');
    await expect(viewer.getByText('1 of 1', { exact: true })).toBeVisible();
    await expect(log.locator('mark', { hasText: 'said once' })).toBeVisible();
    await page.getByRole('button', { name: 'Show only matching lines' }).click();
    await expect(log).not.toContainText('tick');
    await page.getByRole('button', { name: 'Show only matching lines' }).click();
    await search.fill('no such words');
    await expect(viewer.getByText('No match', { exact: true })).toBeVisible();
    await search.press('Escape');
    await expect(search).toHaveValue('');
    await page.getByRole('button', { name: 'Jump to latest' }).click();
    const before = await latest();
    await expect.poll(latest).toBeGreaterThan(before);
  });

  await test.step('pausing stops updates; resuming catches up', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(state).toHaveText('Paused');
    const held = await latest();
    await expect(viewer.getByText(/^\d{2,} new lines since$/)).toBeVisible();
    expect(await latest()).toBe(held);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect(state).toHaveText('Live');
    await expect.poll(latest).toBeGreaterThan(held + 10);
  });

  await test.step('the download has every line', async () => {
    const seen = await latest();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^ticking-app-.+\.log$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toContain('said once');
    const ticks = [...text.matchAll(/tick (\d+)/g)].map(([, n]) => Number(n));
    expect(ticks.at(-1)).toBeGreaterThanOrEqual(seen);
    // No line is missing or repeated.
    expect(ticks).toEqual(ticks.map((_, i) => i + 1));
  });

  await test.step('the serial console', async () => {
    await page.getByLabel('Source', { exact: true }).selectOption({ label: 'Serial console' });
    await page.waitForURL(/source=serial/);
    await expect(page.getByRole('log', { name: /^Serial console log/ })).toContainText(/\w/);
    await expectAccessible(page);
    await page.reload();
    await expect(page.getByLabel('Source', { exact: true })).toHaveValue('serial');
    await page.goto(`${cvm}/logs`);
    await expect(state).toHaveText('Live');
  });

  await test.step('an address that names no log says so', async () => {
    await page.goto(`${cvm}/logs?source=zzz`);
    await expect(page.getByText('This CVM has no container or log named “zzz”.')).toBeVisible();
    await expectAccessible(page);
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Show / })
      .click();
    await expect(state).toHaveText('Live');
  });

  await test.step('shows why the log ended', async () => {
    await page.getByRole('main').getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('dialog').getByRole('switch', { name: 'Force' }).click();
    const requested = page.waitForRequest(/\/cvms\/[^/]+\/stop$/);
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await requested;
    await expect(page.getByRole('main').getByText('Stopped', { exact: true }).first()).toBeVisible({
      timeout: 60_000,
    });
    await expect(state).toHaveText('Ended');
    await expect(viewer.getByText('The CVM is stopped', { exact: false })).toBeVisible();
    await expectAccessible(page);
  });

  expect(complaints).toEqual([]);
});
