import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from '../browser';
import { heading, signInAs } from '../staff';
import { callApi, expectAccessible, onDatabase, watchConsole } from '../support';

/** List tools: exports, shared views and bulk actions. */

const unique = () => Math.random().toString(36).slice(2, 8);
const rows = (page: Page) => page.getByRole('table', { name: 'Nodes' }).getByRole('row');

/** Waits for the job above the list to finish. */
async function jobOver(page: Page, said: string | RegExp): Promise<void> {
  const job = page.getByRole('region', { name: 'Bulk job' });
  await expect(job.getByRole('progressbar', { name: 'Rows processed' })).toBeVisible();
  await expect(job.getByRole('status')).toHaveText(said, { timeout: 60_000 });
}

test('the column menu checks visible columns, and the user’s choices persist', async ({ page }) => {
  const complaints = watchConsole(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await signInAs(page, 'admin');
  await onDatabase(
    `insert into events (team_id, kind, severity, message, data)
     select id, 'deploy.succeeded', 'info', 'Deployed', '{}' from teams limit 1`,
    [],
  );
  await page.goto('/admin/instance-events');
  const table = page.getByRole('table', { name: 'Instance events' });
  await expect(page.getByRole('heading', { level: 1, name: 'Instance events' })).toBeVisible();
  await expect(table.getByRole('row').nth(1)).toBeVisible();
  for (const name of ['Team', 'CVM', 'Message'])
    await expect(table.getByRole('columnheader', { name })).toBeVisible();
  await page.getByRole('button', { name: 'Choose columns' }).click();
  const box = (name: string) => page.getByRole('menuitemcheckbox', { name, exact: true });
  // The open menu hides the page behind it from assistive technology, so roles don't find the headings.
  const headingOf = (name: string) => page.locator('thead th').getByText(name, { exact: true });
  for (const name of ['Team', 'CVM', 'Kind', 'Actor', 'Request ID'])
    await expect(box(name)).toHaveAttribute('aria-checked', String(await headingOf(name).isVisible()));
  await page.setViewportSize({ width: 1000, height: 900 });
  await expect(headingOf('Actor')).toBeHidden();
  await expect(box('Actor')).toHaveAttribute('aria-checked', 'false');
  await box('Actor').click();
  await expect(box('Actor')).toHaveAttribute('aria-checked', 'true');
  await expect(headingOf('Actor')).toBeVisible();
  await page.getByRole('menuitem', { name: 'Reset columns' }).click();
  await expect(box('Actor')).toHaveAttribute('aria-checked', 'false');
  expect(complaints).toEqual([]);
});

test('a list can be exported, shared as a view, and edited and deleted in bulk', async ({
  page,
  browser,
}) => {
  const complaints = watchConsole(page);
  const prefix = `many-${unique()}`;
  await signInAs(page, 'admin');
  const nodes: number[] = [];
  for (const n of [1, 2, 3]) {
    const data = { name: `${prefix}-${n}`, region: 'before' };
    nodes.push((await callApi<{ id: number }>(page, 'post', '/admin/nodes', { data })).id);
  }
  // The first one has a teepod, so it can't be deleted.
  await callApi(page, 'post', '/admin/teepods', {
    data: {
      node_id: nodes[0],
      name: prefix,
      url: `http://127.0.0.1:9/${prefix}`,
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

  await test.step('exports matching rows with the visible columns', async () => {
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV' }).click();
    const file = await coming;
    expect(file.suggestedFilename()).toMatch(/nodes.*\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain('name');
    expect(lines[0]).not.toContain('_id');
    expect(lines.slice(1).every((line) => line.includes(prefix))).toBe(true);
  });

  await test.step('a view opens for another administrator through its link', async () => {
    await page.getByRole('button', { name: 'Choose columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Region' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('columnheader', { name: 'Region' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save view…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(prefix);
    await dialog.getByRole('switch', { name: 'Shared' }).click();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    // The list now shows the selected view.
    await expect(page.getByRole('button', { name: prefix, exact: true })).toBeVisible();
    const views = await callApi<{ id: number; name: string }[]>(page, 'get', '/admin/views');
    const view = views.find(({ name }) => name === prefix);
    const theirs = await (await browser.newContext()).newPage();
    const otherComplaints = watchConsole(theirs);
    await signInAs(theirs, 'support');
    await theirs.goto(`/admin/infra/nodes?view=${view?.id}`);
    await expect(theirs.getByText('3 of 3 nodes')).toBeVisible();
    await expect(theirs.getByRole('searchbox', { name: 'Search Nodes' })).toHaveValue(prefix);
    // Columns and density are part of it and stay when the sort order changes.
    const table = theirs.getByRole('table', { name: 'Nodes' });
    const header = (name: string) => table.getByRole('columnheader', { name });
    await expect(header('State')).toBeVisible();
    await expect(header('Region')).toHaveCount(0);
    await expect(table).not.toHaveAttribute('data-dense');
    await header('Name').getByRole('button').click();
    await expect(theirs).toHaveURL(/order=DESC/);
    await expect(theirs).toHaveURL(/columns=name.*density=normal/);
    await expect(header('Region')).toHaveCount(0);
    // The unfiltered list keeps this administrator's own columns.
    await theirs.getByRole('link', { name: 'Nodes', exact: true }).first().click();
    await expect(header('Region')).toBeVisible();
    await theirs.goBack();
    await expect(header('Region')).toHaveCount(0);
    // Support has read access; forbidden actions show the reason.
    await theirs.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await expect(theirs.getByRole('button', { name: 'Delete…' })).toBeDisabled();
    expect(otherComplaints).toEqual([]);
    await theirs.context().close();
    await page.getByRole('button', { name: 'Choose columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Region' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Compact rows' }).click();
    await page.keyboard.press('Escape');
  });

  await test.step('edits one field of two rows', async () => {
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

  await test.step('deletes all rows except the one in use and says why', async () => {
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete 3 nodes' });
    await expect(confirm).toBeDisabled();
    await dialog.getByLabel('Type the number of rows to confirm').fill('3');
    await expectAccessible(page);
    await confirm.click();
    await jobOver(page, 'Delete: 3 of 3 done, 1 failed');
    await expect(heading(page)).toBeFocused();
    await expect(page.getByText('1 of 1 node', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Results by row' }).click();
    await expect(heading(page)).toBeVisible();
    const table = page.getByRole('table', { name: 'Rows' });
    await expect(table.getByText('Succeeded')).toHaveCount(2);
    const failed = table.getByRole('row').filter({ hasText: 'Failed' });
    await expect(failed).toContainText(`runs the teepod`);
    await expect(failed).toContainText(`${prefix}-1`);
    await expectAccessible(page);
    // The filter is in the address, so that Back from a record returns to it.
    await page.getByRole('combobox', { name: 'State' }).selectOption('failed');
    await expect(page).toHaveURL(/\/bulk-jobs\/\d+\?state=failed$/);
    await expect(table.getByText('Succeeded')).toHaveCount(0);
    await expect(failed).toBeVisible();
  });

  await test.step('the page of a job in progress follows it', async () => {
    let isRunning = true;
    await page.route(/\/api\/v1\/admin\/bulk-jobs\/\d+$/, async (route) => {
      const response = await route.fetch();
      const job = (await response.json()) as object;
      const before = { ...job, state: 'running', done: 1, updated_at: '2026-01-01T00:00:00Z' };
      await route.fulfill({ response, json: isRunning ? before : job });
    });
    await page.reload();
    const running = page.getByRole('main').getByText('Running', { exact: true });
    await expect(running.first()).toBeVisible();
    isRunning = false;
    await expect(running).toHaveCount(0);
  });
  expect(complaints).toEqual([]);
});
