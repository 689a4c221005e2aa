import { expect, test, type Page } from './browser';
import {
  deployApp,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  onDatabase,
  registerUser,
  watchConsole,
} from './support';

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: sleep infinity
`;

/** Two hours of samples, busier in the second hour, for a CVM that has run for a day. */
async function seedMetrics(cvm: string): Promise<void> {
  const id = `(select id from cvms where vm_uuid = $1)`;
  await onDatabase(`update cvm_state_changes set at = at - interval '1 day' where cvm_id = ${id}`, [cvm]);
  await onDatabase(
    `insert into cvm_metric_samples (slot, cvm_id, at, cpu, memory, disk, network_in, network_out, network_errors, containers)
     select i % 240, ${id}, to_timestamp(i * 30), busy * (30 + 12 * sin(i / 7.0)), 2e8 * (1 + busy + 0.2 * cos(i / 11.0)), 4e8,
       busy * 40000 * (1 + sin(i / 5.0)), busy * 9000, 0, 1
     from (select i, case when i > extract(epoch from now()) / 30 - 120 then 2 else 1 end as busy
       from generate_series(floor(extract(epoch from now()) / 30)::bigint - 238, floor(extract(epoch from now()) / 30)::bigint - 1) i) s
     on conflict (slot, cvm_id) do update set at = excluded.at, missing = null, cpu = excluded.cpu, memory = excluded.memory,
       disk = excluded.disk, network_in = excluded.network_in, network_out = excluded.network_out`,
    [cvm],
  );
  await onDatabase(
    `update operations set created_at = created_at - interval '1 day', started_at = started_at - interval '1 day'
     where cvm_id = ${id}`,
    [cvm],
  );
  await onDatabase(
    `insert into operations (correlation_id, team_id, cvm_id, type, state, target, requested_by, created_at, started_at, finished_at, deadline_at)
     select gen_random_uuid(), o.team_id, o.cvm_id, t.type, t.state, 'running', o.requested_by, now() - t.ago, now() - t.ago, now() - t.ago, now()
     from operations o, (values ('stop', 'succeeded', interval '41 minutes'), ('start', 'succeeded', interval '40 minutes 30 seconds'),
       ('restart', 'failed', interval '40 minutes'), ('update', 'succeeded', interval '15 minutes')) as t (type, state, ago)
     where o.cvm_id = ${id} and o.type = 'deploy'`,
    [cvm],
  );
}

const READ = /^\d\d:\d\d:\d\d: /;
const timeIn = (text: string) => text.slice(0, 8);

test('charts share readings, zoom, change markers and comparison', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'charts');
  const cvm = await deployApp(page, slug, { name: 'busy-app', compose: COMPOSE });
  await seedMetrics(cvm.split('/').at(-1) ?? '');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${cvm}/usage`);
  const figure = (name: string) => page.getByRole('figure', { name, exact: true });
  const reading = (name: string) => figure(name).getByText(READ);
  const hand = (name: string) => page.getByRole('slider', { name: new RegExp(`^${name} in `) });
  await expect(figure('CPU').getByText(/% now · avg/)).toBeVisible();
  const usage = `${cvm}/usage`;

  await test.step('hovering one chart reads the same moment in all', async () => {
    await hand('CPU').hover({ position: { x: 300, y: 90 } });
    const time = timeIn(await reading('CPU').innerText());
    for (const name of ['Memory', 'Disk', 'Network'])
      expect(timeIn(await reading(name).innerText())).toBe(time);
    await expect(reading('CPU')).toHaveText(/: [\d.]+%/);
    await expect(reading('Memory')).toHaveText(/: [\d.]+ MB/);
    await page.mouse.move(2, 2);
    for (const name of ['CPU', 'Memory', 'Disk', 'Network']) await expect(reading(name)).toHaveCount(0);
  });

  await test.step('arrow keys do the same', async () => {
    await hand('Memory').focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('PageDown');
    const time = timeIn(await reading('Memory').innerText());
    expect(timeIn(await reading('CPU').innerText())).toBe(time);
    await page.keyboard.press('Escape');
    await expect(reading('CPU')).toHaveCount(0);
    await hand('Memory').blur();
  });

  await test.step('a moving pointer changes nothing but the crosshair, readings and legends', async () => {
    await page.evaluate(() => {
      const drawn = [
        ...document.querySelectorAll('[role="slider"] svg > path, [role="slider"] svg > g > path[d]'),
      ];
      Object.assign(window, { drawn, drawnAs: drawn.map((path) => path.getAttribute('d')) });
    });
    for (let x = 100; x < 500; x += 20) await hand('CPU').hover({ position: { x, y: 90 } });
    const same = await page.evaluate(() => {
      const { drawn, drawnAs } = window as unknown as { drawn: Element[]; drawnAs: (string | null)[] };
      return (
        drawn.length > 0 &&
        drawn.every((path, i) => path.isConnected && path.getAttribute('d') === drawnAs[i])
      );
    });
    expect(same).toBe(true);
    await page.mouse.move(2, 2);
  });

  await test.step('a click zooms nothing, and Escape cancels a drag', async () => {
    await hand('CPU').click({ position: { x: 300, y: 90 } });
    await drag(page, hand('CPU'), 200, 330, async () => {
      await expect(figure('CPU').getByText(/\d\d:\d\d.*\(\d+ min/)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(reading('CPU')).toBeVisible();
    });
    await expect(page).toHaveURL(new RegExp(`${usage}$`));
    await expect(page.getByRole('button', { name: 'Reset zoom' })).toHaveCount(0);
  });

  await test.step('dragging zooms all charts, and the address keeps it', async () => {
    await drag(page, hand('CPU'), 200, 330);
    await page.waitForURL(/\?from=[^&]+Z&to=[^&]+Z$/);
    await expect(page.getByRole('heading', { name: /^Usage, \w+ \d+, \d\d:\d\d/ })).toBeVisible();
    await expect(hand('Memory')).toHaveAttribute('aria-label', /^Memory in bytes, \w+ \d+, \d\d:\d\d/);
    await page.mouse.move(2, 2);
    await expect(figure('CPU').getByText(/% last · avg/)).toBeVisible();
    const steps = Number(await hand('Network').getAttribute('aria-valuemax'));
    expect(steps).toBeLessThan(60);
    await expectAccessible(page);
    await page.reload();
    await expect(hand('CPU')).toHaveAttribute('aria-valuemax', String(steps));
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Usage, last hour' })).toBeVisible();
    await page.goForward();
    await page.getByRole('button', { name: 'Reset zoom' }).click();
    await expect(page.getByRole('heading', { name: 'Usage, last hour' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Hour' })).toBeFocused();
    await expect(hand('CPU')).toHaveAttribute('aria-valuemax', '119');
  });

  await test.step('Shift and arrow keys select, Enter zooms', async () => {
    await hand('CPU').focus();
    await page.keyboard.press('PageDown');
    for (let i = 0; i < 9; i += 1) await page.keyboard.press('Shift+ArrowLeft');
    await expect(hand('CPU')).toHaveAttribute('aria-valuetext', /\d\d:\d\d.* selected\. /);
    await page.keyboard.press('Escape');
    await expect(hand('CPU')).not.toHaveAttribute('aria-valuetext', /selected/);
    for (let i = 0; i < 9; i += 1) await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\?from=/);
    await expect(hand('CPU')).toHaveAttribute('aria-valuemax', '9');
    await page.getByRole('link', { name: 'Hour' }).click();
    await expect(page).toHaveURL(new RegExp(`${usage}$`));
  });

  await test.step('a finger reads values, selects when held, and scrolls up and down', async () => {
    const touch = await page.context().newCDPSession(page);
    await page.evaluate(() => window.scrollTo(0, 0));
    const box = (await hand('CPU').boundingBox())!;
    const y = box.y + 90;
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: x === undefined ? [] : [{ x: box.x + x, y }],
      });
    await send('touchStart', 200);
    for (const x of [215, 240, 260]) await send('touchMove', x);
    await expect(reading('Memory')).toBeVisible();
    await send('touchEnd');
    await expect(reading('Memory')).toHaveCount(0);
    await expect(page).toHaveURL(new RegExp(`${usage}$`));

    await send('touchStart', 200);
    await expect(figure('CPU').getByText(/\(30 s\)/)).toBeVisible();
    await send('touchEnd');
    await expect(figure('CPU').getByText(/\(30 s\)/)).toHaveCount(0);
    await expect(page).toHaveURL(new RegExp(`${usage}$`));

    await send('touchStart', 200);
    await expect(figure('CPU').getByText(/\(30 s\)/)).toBeVisible();
    for (const x of [215, 250, 300]) await send('touchMove', x);
    await send('touchEnd');
    await page.waitForURL(/\?from=/);
    await page.getByRole('button', { name: 'Reset zoom' }).click();
    await expect(page.getByRole('heading', { name: 'Usage, last hour' })).toBeVisible();

    const top = async () => (await hand('CPU').boundingBox())!.y;
    const before = await top();
    const at = (type: 'touchStart' | 'touchMove', down: number) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x: box.x + 200, y: y + down }] });
    await at('touchStart', 0);
    for (let down = -10; down >= -200; down -= 10) await at('touchMove', down);
    await expect.poll(top).toBeLessThan(before - 50);
    await send('touchEnd');
    await expect(page).toHaveURL(new RegExp(`${usage}$`));
    await touch.detach();
  });

  await test.step('markers describe changes and are grouped when close together', async () => {
    const group = figure('CPU').getByRole('link', {
      name: /^3 changes: Stop, Start, Restart failed · \d\d:\d\d:\d\d$/,
    });
    const update = figure('CPU').getByRole('link', { name: /^Update · / });
    await expect(group).toHaveText('3');
    await update.focus();
    await expect(update).toBeFocused();
    await expect(reading('Network')).toBeVisible();
    // Only one chart has them in the tab order; the others show them on hover.
    await expect(figure('Memory').getByRole('link')).toHaveCount(0);
    await figure('CPU').getByText('CPU as a table').click();
    const table = figure('CPU').getByRole('region', { name: 'CPU, values' });
    await expect(table.getByRole('columnheader', { name: 'Changes' })).toBeVisible();
    await expect(table.getByRole('cell', { name: 'Update', exact: true })).toHaveCount(1);
    await figure('CPU').getByText('CPU as a table').click();
    await page.getByText('4 changes in this period').click();
    const listed = page.getByRole('listitem').filter({ hasText: 'Restart failed' }).last();
    await listed.getByRole('link').focus();
    await expect(reading('Disk')).toBeVisible();
    await expectAccessible(page);
    await update.click();
    await page.waitForURL(/\/events\?q=operation/);
    await page.goBack();
    await expect(group).toBeVisible();
  });

  await test.step('the previous period is drawn, read and listed beside the current one', async () => {
    const toggle = page.getByRole('button', { name: 'Compare with previous period' });
    await toggle.click();
    await page.waitForURL(/\?compare=previous$/);
    await expect(toggle).toHaveAttribute('aria-pressed', 'true');
    await expect(figure('CPU').getByRole('listitem').filter({ hasText: 'Previous period' })).toBeVisible();
    await hand('CPU').hover({ position: { x: 300, y: 90 } });
    await expect(reading('CPU')).toHaveText(/previous period [\d.]+%/);
    await expect(
      figure('Network')
        .getByRole('listitem')
        .filter({ hasText: /previously/ }),
    ).toHaveCount(2);
    await page.mouse.move(2, 2);
    await figure('CPU').getByText('CPU as a table').click();
    await expect(figure('CPU').getByRole('columnheader', { name: 'Previous period' })).toBeVisible();
    await expectAccessible(page);
    await figure('CPU').getByText('CPU as a table').click();
    await drag(page, hand('CPU'), 200, 330);
    await page.waitForURL(/from=.*compare=previous|compare=previous.*from=/);
    await expect(figure('CPU').getByRole('listitem').filter({ hasText: 'Previous period' })).toBeVisible();
  });

  await test.step('a period without data says so', async () => {
    await page.getByRole('link', { name: 'Month' }).click();
    await expect(page.getByText('No data for the previous period.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Compare with previous period' }).click();
    await expect(page.getByText('No data for the previous period.')).toHaveCount(0);
  });

  await test.step('all of it fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${usage}?compare=previous`);
    await expect(figure('CPU').getByRole('listitem').filter({ hasText: 'Previous period' })).toBeVisible();
    await expect(figure('CPU').getByRole('link', { name: /3 changes/ })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await drag(page, hand('CPU'), 120, 220);
    await expect(page.getByRole('button', { name: 'Reset zoom' })).toBeVisible();
    await expectNoSidewaysScroll(page);
  });

  await test.step('the app’s charts do the same', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page
      .getByRole('navigation', { name: 'Breadcrumb' })
      .getByRole('link', { name: 'busy-app' })
      .first()
      .click();
    await page.waitForURL(/\/apps\/[^/]+$/);
    await page.goto(`${new URL(page.url()).pathname}/usage`);
    await expect(figure('CPU').getByText(/% now · avg/)).toBeVisible();
    await expect(figure('CPU').getByRole('link', { name: /3 changes/ })).toBeVisible();
    await drag(page, hand('CPU'), 200, 330);
    await page.waitForURL(/\/apps\/.*\?from=/);
    await expect(page.getByRole('heading', { name: /^Usage by replica, \w+ \d+, \d\d:\d\d/ })).toBeVisible();
    await page.getByRole('button', { name: 'Compare with previous period' }).click();
    await expect(figure('CPU').getByRole('listitem').filter({ hasText: 'Previous period' })).toBeVisible();
    await hand('CPU').hover({ position: { x: 300, y: 90 } });
    await expect(
      figure('Memory')
        .getByText(/previous period/)
        .first(),
    ).toBeVisible();
    await page.mouse.move(2, 2);
    await expectAccessible(page);
  });

  expect(complaints).toEqual([]);
});

/** Drags along a chart, in pixels from its left edge. `held` runs before the button is released. */
async function drag(
  page: Page,
  chart: ReturnType<Page['getByRole']>,
  from: number,
  to: number,
  held?: () => Promise<void>,
): Promise<void> {
  await chart.scrollIntoViewIfNeeded();
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + from, box.y + 90);
  await page.mouse.down();
  await page.mouse.move(box.x + (from + to) / 2, box.y + 95, { steps: 4 });
  await page.mouse.move(box.x + to, box.y + 90, { steps: 4 });
  await held?.();
  await page.mouse.up();
}
