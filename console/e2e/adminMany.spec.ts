import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import { heading, signInAs } from './staff';
import { callApi, expectAccessible, watchConsole } from './support';

/** Lists as work is done with them: a file of what matches, a view sent to somebody, many rows at once. */

const unique = () => Math.random().toString(36).slice(2, 8);
const rows = (page: Page) => page.getByRole('table', { name: 'Nodes' }).getByRole('row');

/** Follows the job above the list to its end. */
async function jobOver(page: Page, said: string | RegExp): Promise<void> {
  const job = page.getByRole('region', { name: 'Bulk job' });
  await expect(job.getByRole('progressbar', { name: 'Rows done' })).toBeVisible();
  await expect(job.getByRole('status')).toHaveText(said, { timeout: 60_000 });
}

test('a list is taken as a file, sent as a view, changed and deleted many at once', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000);
  const complaints = watchConsole(page);
  const prefix = `many-${unique()}`;
  await signInAs(page, 'admin');
  const nodes: number[] = [];
  for (const n of [1, 2, 3]) {
    const data = { name: `${prefix}-${n}`, region: 'before' };
    nodes.push((await callApi<{ id: number }>(page, 'post', '/admin/nodes', { data })).id);
  }
  // The first carries a teepod, and can therefore not be deleted.
  await callApi(page, 'post', '/admin/teepods', {
    data: {
      node_id: nodes[0],
      name: prefix,
      url: 'http://127.0.0.1:9',
      state: 'offline',
      max_cvms: 1,
      max_vcpu: 1,
      max_memory_mb: 1024,
      max_disk_gb: 10,
    },
  });
  await page.goto('/admin/infra/nodes');
  await page.getByRole('searchbox', { name: 'Search Nodes' }).fill(prefix);
  await expect(page.getByText('3 of 3 nodes')).toBeVisible();

  await test.step('as a file: what matches, in the columns shown', async () => {
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    const file = await coming;
    expect(file.suggestedFilename()).toMatch(/nodes.*\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain('name');
    expect(lines.slice(1).every((line) => line.includes(prefix))).toBe(true);
  });

  await test.step('as a view, which somebody else opens by its link', async () => {
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save this list as a view…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(prefix);
    await dialog.getByRole('switch', { name: 'Shared' }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    // The list is that view now, and says so.
    await expect(page.getByRole('button', { name: prefix, exact: true })).toBeVisible();
    const views = await callApi<{ id: number; name: string }[]>(page, 'get', '/admin/views');
    const view = views.find(({ name }) => name === prefix);
    const theirs = await (await browser.newContext()).newPage();
    const complaintsOfTheirs = watchConsole(theirs);
    await signInAs(theirs, 'support');
    await theirs.goto(`/admin/infra/nodes?view=${view?.id}`);
    await expect(theirs.getByText('3 of 3 nodes')).toBeVisible();
    await expect(theirs.getByRole('searchbox', { name: 'Search Nodes' })).toHaveValue(prefix);
    // Support reads: what it may not do says so.
    await theirs.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await expect(theirs.getByRole('button', { name: 'Delete…' })).toBeDisabled();
    expect(complaintsOfTheirs).toEqual([]);
    await theirs.context().close();
  });

  await test.step('one field of two of them', async () => {
    for (const n of [1, 2]) await page.getByRole('checkbox', { name: `Select ${prefix}-${n}` }).check();
    const bar = page.getByRole('region', { name: 'Selection' });
    await expect(bar.getByRole('status')).toHaveText('2 selected');
    await bar.getByRole('button', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field to change').selectOption('region');
    await dialog.getByLabel(/^Region/).fill('after');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Edit 2 nodes' }).click();
    await jobOver(page, 'Edit: 2 of 2 done');
    for (const [n, region] of [
      [1, 'after'],
      [2, 'after'],
      [3, 'before'],
    ] as const)
      await expect(rows(page).filter({ hasText: `${prefix}-${n}` })).toContainText(region);
  });

  await test.step('all of them are deleted, but the one in use, which says why', async () => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete 3 nodes' });
    await expect(confirm).toBeDisabled();
    await dialog.getByLabel('Type the number of rows to confirm').fill('3');
    await expectAccessible(page);
    await confirm.click();
    await jobOver(page, 'Delete: 3 of 3 done, 1 failed');
    await expect(page.getByText('1 of 1 nodes')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Result of each row' }).click();
    await expect(heading(page)).toBeVisible();
    const table = page.getByRole('table', { name: 'Rows' });
    await expect(table.getByText('Succeeded')).toHaveCount(2);
    const failed = table.getByRole('row').filter({ hasText: 'Failed' });
    await expect(failed).toContainText(`carries the teepod`);
    await expectAccessible(page);
  });
  expect(complaints).toEqual([]);
});
