import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from '../browser';
import { expectAccessible, registerUser, watchConsole } from '../support';

test('shows, filters and exports audit entries that can be verified offline', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'audited');
  await page.goto(`/${slug}/members?tab=audit`);
  const toggles = page.locator('[data-toggle]');
  await expect(toggles.first()).toBeVisible();
  const before = await toggles.count();
  await page.request.get(`/api/v1/workspaces/${slug}/audit/export?format=csv`);
  await page.reload();
  await expect(toggles).toHaveCount(before + 1);

  // By keyboard: j selects the first entry, Enter expands it.
  await page.keyboard.press('j');
  await expect(toggles.first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toggles.first()).toHaveAttribute('aria-expanded', 'true');
  await expect(page.getByText('Changes')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Copy hash [0-9a-f]{64}$/ })).toBeVisible();
  await expectAccessible(page);

  // The filter is in the URL: a link shows the same entries, and Back undoes it.
  await page.getByRole('button', { name: 'Filter by this action' }).click();
  await expect(page).toHaveURL(/action=audit\.export/);
  await expect(toggles).toHaveCount(1);
  await page.goBack();
  await expect(toggles).toHaveCount(before + 1);
  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing is called this');
  await expect(page.getByText('No matches')).toBeVisible();
  await expect(page).toHaveURL(/q=nothing/);
  await page.getByRole('button', { name: 'Show all entries' }).click();
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('');
  await expect(toggles).toHaveCount(before + 1);

  // A filter chosen before typing has paused keeps the search. Removing one by keyboard focuses the next.
  await page.getByRole('searchbox', { name: 'Search' }).fill('audit');
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Audit log');
  await expect(page).toHaveURL(/q=audit/);
  await expect(page).toHaveURL(/action=audit/);
  await page.getByRole('button', { name: 'Remove filter Contains: audit' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Remove filter Action: Audit log' })).toBeFocused();
  await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');
  await expect(page.getByLabel('To', { exact: true })).toBeFocused();
  await expect(toggles).toHaveCount(before + 1);

  // A typed date applies when it is complete, so Back removes it in one step.
  const from = page.getByLabel('From', { exact: true });
  await from.focus();
  await page.keyboard.type('01022026');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/from=2026-01-02/);
  await page.goBack();
  await expect(page).not.toHaveURL(/from=/);
  await expect(from).toHaveValue('');
  await expect(toggles).toHaveCount(before + 1);

  // The export can be verified without the server.
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export as JSON Lines' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^${slug}-audit-[\\d-]+\\.jsonl$`));
  const file = await download.path();
  expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(before + 2);
  const { stdout } = await promisify(execFile)(process.execPath, [
    'dist/server/cli.js',
    'verify',
    '--file',
    file,
  ]);
  expect(stdout).toMatch(new RegExp(`: ${before + 2} entries, last [0-9a-f]{64}`));
  expect(complaints).toEqual([]);
});

test('the audit log fits a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { slug } = await registerUser(page, 'pocket');
  await page.goto(`/${slug}/members?tab=audit`);
  await page.locator('[data-toggle]').first().click();
  await expect(page.getByText('Changes').first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await expectAccessible(page);
});
