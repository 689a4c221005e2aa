import { readFile } from 'node:fs/promises';
import { expect, test } from './browser';
import {
  deployApp,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  registerUser,
  watchConsole,
} from './support';

/** Creates a load to measure: a loop that is busy 10% of the time. */
const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: sh -c 'trap "exit 0" TERM; while true; do i=0; while [ $$i -lt 2000 ]; do i=$$((i+1)); done; sleep 0.05; done'
`;

test('shows a CVM’s usage and cost in keyboard-accessible charts, tables and CSV files', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'meter');
  const cvm = await deployApp(page, slug, { name: 'measured-app', compose: COMPOSE });
  await page.goto(`${cvm}/usage`);
  const cpu = page.getByRole('figure', { name: 'CPU', exact: true });
  const hand = page.getByRole('slider', { name: /^CPU in percent, last hour/ });

  await test.step('new points appear without a reload', async () => {
    await expect(page.getByRole('heading', { name: 'Usage, last hour' })).toBeVisible();
    await expect(cpu.getByText(/% now · avg/)).toBeVisible({ timeout: 150_000 });
    await expect(page.getByRole('figure', { name: 'Memory' }).getByText(/[KM]B of \d+ GB now/)).toBeVisible();
    for (const name of ['Disk', 'Network']) await expect(page.getByRole('figure', { name })).toBeVisible();
    await expect(page.getByText(/reported by the local teepod’s Docker engine/)).toBeVisible();
    await expect(page.getByText(/1 of 1 container running/)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('arrow keys read values and times, gaps included', async () => {
    await hand.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await expect(hand).toHaveAttribute('aria-valuetext', /no data, not created yet/);
    await expect(cpu.getByText(/no data, not created yet/)).toBeVisible();
    const at = await hand.getAttribute('aria-valuenow');
    await page.keyboard.press('ArrowRight');
    await expect(hand).toHaveAttribute('aria-valuenow', String(Number(at) + 1));
    await page.keyboard.press('Escape');
    await expect(hand).toHaveAttribute('aria-valuetext', /^\d\d:\d\d:\d\d: [\d.]+%/);
  });

  await test.step('hovering reads a value without shifting the layout', async () => {
    const before = await cpu.boundingBox();
    await hand.hover({ position: { x: 200, y: 60 } });
    await expect(cpu.getByText(/^\d\d:\d\d:\d\d: /)).toBeVisible();
    expect(await cpu.boundingBox()).toEqual(before);
    await page.mouse.move(0, 0);
  });

  await test.step('a table lists all values', async () => {
    await cpu.getByText('CPU as a table').click();
    const table = cpu.getByRole('region', { name: 'CPU, values' });
    await expect(table.getByRole('row')).toHaveCount(121);
    await expect(table.getByRole('cell', { name: /^[\d.]+%$/ }).first()).toBeVisible();
    await expectAccessible(page);
    await cpu.getByText('CPU as a table').click();
  });

  await test.step('the range is kept in the address', async () => {
    await page.getByRole('navigation', { name: 'Time range' }).getByRole('link', { name: 'Week' }).click();
    await page.waitForURL(/\?range=week$/);
    await expect(page.getByRole('slider', { name: /^CPU in percent, last 7 days/ })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Usage, last 7 days' })).toBeVisible();
    await expect(cpu.getByText(/% now · avg/)).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Usage, last hour' })).toBeVisible();
  });

  await test.step('the cost is itemized and downloadable', async () => {
    const lines = page.getByRole('region', { name: 'Cost breakdown' });
    await expect(lines.getByRole('row').filter({ hasText: 'vCPU ·' })).toBeVisible();
    await expect(lines.getByRole('row').filter({ hasText: 'GB disk' })).toBeVisible();
    await expect(page.getByText(/so far\. Seconds in each state/)).toBeVisible();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download cost as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^measured-app-usage-\d{4}-\d\d\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toMatch(/^cvm,vm_uuid,from,to,status,paid_for,/);
    expect(text).toMatch(/measured-app,.*,running,size,/);
    const [values] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download metrics as CSV' }).click(),
    ]);
    expect((await readFile(await values.path(), 'utf8')).split('\r\n')[0]).toMatch(/^from,cpu_percent,/);
  });

  await test.step('a month before the CVM existed is empty', async () => {
    await page.getByLabel('Month').selectOption({ index: 1 });
    await page.waitForURL(/[?&]month=20\d\d-\d\d$/);
    await expect(page.getByText('This CVM didn’t exist in this month.')).toBeVisible();
    await page.getByLabel('Month').selectOption({ index: 0 });
    await expect(page).not.toHaveURL(/month=/);
  });

  await test.step('the app’s page shows each replica and the total', async () => {
    await page
      .getByRole('navigation', { name: 'Breadcrumb' })
      .getByRole('link', { name: 'measured-app' })
      .first()
      .click();
    await page.waitForURL(/\/apps\/[^/]+$/);
    // The CVM's page, which is still shown briefly, also has a tab with this name.
    await expect(
      page.getByRole('navigation', { name: 'measured-app pages' }).getByRole('link', { name: 'Revisions' }),
    ).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Usage' }).click();
    await expect(page.getByRole('heading', { name: 'Usage by replica, last hour' })).toBeVisible();
    await expect(cpu.getByText(/% now · avg/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'measured-app', exact: true }).last()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.goto(`${cvm}/usage`);
    await expect(cpu.getByText(/% now · avg/)).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  await test.step('a stopped CVM keeps its history', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('main').getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    const lines = page.getByRole('region', { name: 'Cost breakdown' });
    await expect(lines.getByRole('row').filter({ hasText: 'Stopped' })).toBeVisible({ timeout: 90_000 });
    // The clicked button may have been over the chart, which would then show the step under the pointer.
    await page.mouse.move(0, 0);
    await expect(cpu.getByText(/% (now|last) · avg/)).toBeVisible();
  });

  expect(complaints).toEqual([]);
});
