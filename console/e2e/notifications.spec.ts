import { expect, test, type Page } from './browser';
import { callApi, onDatabase } from './accounts';
import { expectAccessible, expectNoSidewaysScroll, registerUser, watchConsole } from './support';

test.describe.configure({ timeout: 180_000 });

/** Records an event like the server does after a failure in a team; the feed picks it up. */
const happen = (slug: string, kind: string, message: string, data: object = {}) =>
  onDatabase(
    `insert into events (team_id, kind, severity, message, data)
      select id, $2, $3, $4, $5::jsonb from teams where slug = $1`,
    [slug, kind, kind.endsWith('recovered') ? 'info' : 'error', message, JSON.stringify(data)],
  );
const HOST = { teepod: 'tee-7', teepod_id: 7, cvms: 2 };
const bell = (page: Page, unread?: number) =>
  page.getByRole('button', {
    name:
      unread === undefined
        ? /^Notifications/
        : unread === 0
          ? 'Notifications'
          : `Notifications: ${unread} unread`,
    exact: unread !== undefined,
  });

test('notifications reach an open page, can be followed and get resolved', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'listener');

  await test.step('the list starts empty', async () => {
    await page.goto(`/${slug}/members`);
    await bell(page, 0).click();
    const sheet = page.getByRole('dialog', { name: 'Notifications' });
    await expect(sheet.getByText('No notifications')).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(sheet).toBeHidden();
    await expect(bell(page, 0)).toBeFocused();
  });

  await test.step('new notifications appear automatically', async () => {
    await happen(
      slug,
      'host.unreachable',
      'The host tee-7 isn’t responding; 2 of the team’s CVMs are affected',
      HOST,
    );
    await expect(bell(page, 1)).toBeVisible();
    await happen(slug, 'webhook.failed', 'An event could not be delivered to the webhook Chat', {
      webhook_id: 'whk_1',
    });
    await expect(bell(page, 2)).toBeVisible();
    await bell(page).click();
    const sheet = page.getByRole('dialog', { name: 'Notifications' });
    await expect(sheet.getByRole('listitem')).toHaveCount(2);
    await expect(sheet.getByRole('link', { name: /The host tee-7 isn’t responding/ })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('following one opens its page and marks it as read', async () => {
    const sheet = page.getByRole('dialog', { name: 'Notifications' });
    await sheet.getByRole('link', { name: /A webhook is failing/ }).click();
    await page.waitForURL(`**/${slug}/members?tab=webhooks`);
    await expect(sheet).toBeHidden();
    await expect(bell(page, 1)).toBeVisible();
  });

  await test.step('the condition clears', async () => {
    await happen(
      slug,
      'host.recovered',
      'The host tee-7 is responding again; 2 of the team’s CVMs are affected',
      HOST,
    );
    await bell(page).click();
    const sheet = page.getByRole('dialog', { name: 'Notifications' });
    await expect(sheet.getByText(/resolved (just now|\d+ s ago|now)/)).toBeVisible();
    await sheet.getByRole('button', { name: 'Mark all as read' }).click();
    await expect(sheet.getByRole('button', { name: 'Mark all as read' })).toHaveCount(0);
    await expect(sheet.getByRole('button', { name: 'Mark as read' })).toHaveCount(0);
  });

  await test.step('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(bell(page, 0)).toBeVisible();
    await expectNoSidewaysScroll(page);
  });
  expect(complaints).toEqual([]);
});

test('saves notification settings and quiet hours', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'quiet');
  interface Settings {
    time_zone: string | null;
    quiet_hours: { from: string; to: string } | null;
    teams: { team: { slug: string }; preferences: { kind: string; console: boolean; mail: boolean }[] }[];
  }
  const kept = () => callApi<Settings>(page, 'get', '/account/notifications');

  await test.step('a checkbox saves immediately', async () => {
    await page.goto('/account/settings?section=notifications');
    await expect(page).toHaveTitle(/^Account settings/);
    const box = page.getByRole('checkbox', { name: 'Low disk space by email' });
    await expect(box).toBeChecked();
    await expectAccessible(page);
    await box.uncheck();
    await expect
      .poll(async () => (await kept()).teams.find(({ team }) => team.slug === slug)?.preferences)
      .toContainEqual({ kind: 'disk_low', console: true, mail: false });
    await page.reload();
    await expect(page.getByRole('checkbox', { name: 'Low disk space by email' })).not.toBeChecked();
    await expect(page.getByRole('checkbox', { name: 'Low disk space in the console' })).toBeChecked();
  });

  await test.step('quiet hours follow a time zone', async () => {
    const form = page.getByRole('form', { name: 'Quiet hours' });
    await form.getByRole('switch').click();
    await form.getByLabel('From').fill('23:30');
    await form.getByLabel('To').fill('23:30');
    await expect(form.getByText('The end must differ from the start.')).toBeVisible();
    await form.getByLabel('To').fill('06:15');
    await form.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save quiet hours' }).click();
    await expect(page.getByText('Quiet hours saved')).toBeVisible();
    expect(await kept()).toMatchObject({
      time_zone: 'Asia/Tokyo',
      quiet_hours: { from: '23:30', to: '06:15' },
    });
  });

  await test.step('a disabled kind sends no notification', async () => {
    await page.getByRole('checkbox', { name: 'Host outages in the console' }).uncheck();
    await expect
      .poll(async () => (await kept()).teams.find(({ team }) => team.slug === slug)?.preferences)
      .toContainEqual({ kind: 'host_trouble', console: false, mail: true });
    await page.goto(`/${slug}/members`);
    await expect(bell(page, 0)).toBeVisible();
    await happen(slug, 'host.unreachable', 'The host tee-7 isn’t responding', HOST);
    await happen(slug, 'webhook.failed', 'An event could not be delivered', { webhook_id: 'whk_2' });
    await expect(bell(page, 1)).toBeVisible();
  });

  await test.step('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/account/settings?section=notifications');
    await expect(page.getByRole('checkbox', { name: 'Low disk space by email' })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
  expect(complaints).toEqual([]);
});

test('toasts of the same result merge instead of piling up', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'merged');
  await page.goto(`/${slug}/members`);
  await expect(page.getByRole('heading', { level: 1, name: 'Members' })).toBeVisible();
  const toasts = page.getByRole('status', { name: 'Notifications' });
  for (const n of [1, 2, 3]) {
    await happen(slug, 'stop.failed', `Stop failed: no answer from host ${n}`);
    const title = n === 1 ? 'Stop failed: a CVM' : `Stop failed: ${n} CVMs`;
    await expect(toasts.getByText(title, { exact: true })).toBeVisible();
  }
  await expect(toasts.getByRole('button', { name: 'Dismiss' })).toHaveCount(1);
  await toasts.getByRole('button', { name: 'Dismiss' }).click();
  await expect(toasts.getByRole('button', { name: 'Dismiss' })).toHaveCount(0);
  expect(complaints).toEqual([]);
});
