import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import {
  deployInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  registerInBrowser,
  watchConsole,
} from './support';

/** Something to measure: a loop that works a tenth of the time. */
const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: sh -c 'while true; do i=0; while [ $$i -lt 2000 ]; do i=$$((i+1)); done; sleep 0.05; done'
`;

test('what a CVM used and cost: charts that are read with the keyboard, a table, a range, the lines, a file', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'meter');
  const cvm = await deployInBrowser(page, slug, { name: 'measured-app', compose: COMPOSE });
  await page.goto(`${cvm}/usage`);
  const cpu = page.getByRole('figure', { name: 'CPU', exact: true });
  const hand = page.getByRole('slider', { name: /^CPU in percent, last hour/ });

  await test.step('the newest point comes without a reload', async () => {
    await expect(page.getByRole('heading', { name: 'Used in the last hour' })).toBeVisible();
    await expect(cpu.getByText(/% now · avg/)).toBeVisible({ timeout: 90_000 });
    await expect(page.getByRole('figure', { name: 'Memory' }).getByText(/[KM]B of \d+ GB now/)).toBeVisible();
    for (const name of ['Disk', 'Network']) await expect(page.getByRole('figure', { name })).toBeVisible();
    await expect(page.getByText(/as the Docker engine of the local teepod counts/)).toBeVisible();
    await expect(page.getByText(/1 of 1 containers run/)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('arrow keys read the values, with their times; what was before it existed says so', async () => {
    await hand.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await expect(hand).toHaveAttribute('aria-valuetext', /nothing measured, not there yet/);
    await expect(cpu.getByText(/nothing measured, not there yet/)).toBeVisible();
    const at = await hand.getAttribute('aria-valuenow');
    await page.keyboard.press('ArrowRight');
    await expect(hand).toHaveAttribute('aria-valuenow', String(Number(at) + 1));
    await page.keyboard.press('Escape');
    await expect(hand).toHaveAttribute('aria-valuetext', /^\d\d:\d\d:\d\d: [\d.]+ %/);
  });

  await test.step('the pointer reads a step, and moves nothing', async () => {
    const before = await cpu.boundingBox();
    await hand.hover({ position: { x: 200, y: 60 } });
    await expect(cpu.getByText(/^\d\d:\d\d:\d\d: /)).toBeVisible();
    expect(await cpu.boundingBox()).toEqual(before);
    await page.mouse.move(0, 0);
  });

  await test.step('all values in a table', async () => {
    await cpu.getByText('CPU as a table').click();
    const table = cpu.getByRole('region', { name: 'CPU, values' });
    await expect(table.getByRole('row')).toHaveCount(121);
    await expect(table.getByRole('cell', { name: /^[\d.]+ %$/ }).first()).toBeVisible();
    await expectAccessible(page);
    await cpu.getByText('CPU as a table').click();
  });

  await test.step('the range is in the address', async () => {
    await page.getByRole('navigation', { name: 'Time range' }).getByRole('link', { name: 'Week' }).click();
    await page.waitForURL(/\?range=week$/);
    await expect(page.getByRole('slider', { name: /^CPU in percent, last 7 days/ })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Used in the last 7 days' })).toBeVisible();
    await expect(cpu.getByText(/% now · avg/)).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Used in the last hour' })).toBeVisible();
  });

  await test.step('the cost, line by line, and as a file', async () => {
    const lines = page.getByRole('region', { name: 'How the cost comes about' });
    await expect(lines.getByRole('row').filter({ hasText: 'Running' })).toBeVisible();
    await expect(page.getByText(/so far\. Every second in each state/)).toBeVisible();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Cost as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^measured-app-usage-\d{4}-\d\d\.csv$/);
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toMatch(/^cvm,vm_uuid,from,to,status,paid_for,/);
    expect(text).toMatch(/measured-app,.*,running,size,/);
    const [values] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Values as CSV' }).click(),
    ]);
    expect((await readFile(await values.path(), 'utf8')).split('\r\n')[0]).toMatch(/^from,cpu_percent,/);
  });

  await test.step('another month has nothing of it', async () => {
    await page.getByLabel('Month').selectOption({ index: 1 });
    await page.waitForURL(/[?&]month=20\d\d-\d\d$/);
    await expect(page.getByText('It did not exist in this month.')).toBeVisible();
    await page.getByLabel('Month').selectOption({ index: 0 });
    await expect(page).not.toHaveURL(/month=/);
  });

  await test.step('the app’s page has a line for each replica and the sum', async () => {
    await page
      .getByRole('navigation', { name: 'Breadcrumb' })
      .getByRole('link', { name: 'measured-app' })
      .first()
      .click();
    await page.waitForURL(/\/apps\/[^/]+$/);
    await page.getByRole('link', { name: 'Usage' }).click();
    await expect(page.getByRole('heading', { name: 'Used in the last hour, by replica' })).toBeVisible();
    await expect(cpu.getByText(/% now · avg/)).toBeVisible();
    await expect(page.getByRole('link', { name: 'measured-app', exact: true }).last()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.goto(`${cvm}/usage`);
    await expect(cpu.getByText(/% now · avg/)).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  await test.step('a stopped CVM keeps its past', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('main').getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    const lines = page.getByRole('region', { name: 'How the cost comes about' });
    await expect(lines.getByRole('row').filter({ hasText: 'Stopped' })).toBeVisible({ timeout: 90_000 });
    // The button that was pressed may have lain over the chart, which then shows the step under the pointer.
    await page.mouse.move(0, 0);
    await expect(cpu.getByText(/% (now|last) · avg/)).toBeVisible();
  });

  expect(complaints).toEqual([]);
});
