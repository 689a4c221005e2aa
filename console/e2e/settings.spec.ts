import { expect, test, type Page } from './browser';
import { ageSessions, withoutStatus, callApi, onDatabase, untilRunning } from './accounts';
import {
  deployApp,
  deployInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  PASSWORD,
  registerUser,
  watchConsole,
} from './support';

test.describe.configure({ timeout: 300_000 });
test.use({ actionTimeout: 30_000, navigationTimeout: 60_000 });

const COMPOSE = `services:\n  web:\n    image: ${IMAGE}\n    command: ["sh", "-c", "trap 'exit 0' TERM; sleep 100000 & wait"]\n    ports: ["8080:80"]\n`;

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('changes CVM settings, from the name to the recycle bin', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug, email } = await registerUser(page, 'settings');
  const path = await deployInBrowser(page, slug, {
    name: 'settings-app',
    compose: COMPOSE,
    publicLogs: true,
  });
  const uuid = path.split('/').at(-1) ?? '';
  const cvm = () => callApi<Record<string, unknown>>(page, 'get', `/cvms/${uuid}`, { team: slug });
  await page
    .getByRole('navigation', { name: 'settings-app pages' })
    .getByRole('link', { name: 'Settings' })
    .click();
  await page.waitForURL(`**${path}/settings`);
  await expect(page.getByRole('heading', { name: 'OS image' })).toBeVisible();
  await expect(region(page, 'OS image').getByRole('radio').first()).toBeVisible();
  await expectAccessible(page);

  await test.step('rename: an invalid name is rejected at its field, a valid one is saved immediately', async () => {
    await region(page, 'Name').getByRole('button', { name: 'Rename…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename settings-app' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('no--good');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await expect(dialog.getByText('Don’t use two dashes in a row.').first()).toBeVisible();
    await dialog.getByText('Details', { exact: true }).click();
    await expect(dialog.getByText('ERR-02-008')).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('renamed-app');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'renamed-app' })).toBeVisible();
    await expect(region(page, 'Name').getByText('settings-app')).toBeVisible();
  });

  await test.step('size: shows the new cost before saving', async () => {
    const size = region(page, 'Size');
    await size.getByRole('radio', { name: /tdx.medium/ }).check();
    await expect(size.getByText(/→ .*\$0\.116.*month/)).toBeVisible();
    await size.getByRole('button', { name: 'Resize…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Resize renamed-app?' });
    await expect(dialog.getByText(/It restarts with the new size/)).toBeVisible();
    await expect(dialog.getByText(/→ .*\$0\.116.*month/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const prices = '**/api/v1/cvms/*/prices*';
    await page.route(prices, (route) => route.fulfill({ status: 400, json: { message: 'Not now.' } }));
    await size.getByRole('radio', { name: /tdx.large/ }).check();
    await expect(size.getByText('Couldn’t load the price')).toBeVisible();
    await size.getByRole('button', { name: 'Resize…' }).click();
    await expect(dialog.getByRole('button', { name: 'Resize', exact: true })).toBeDisabled();
    await page.unroute(prices);
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect(dialog.getByRole('button', { name: 'Resize', exact: true })).toBeEnabled();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await size.getByRole('radio', { name: /tdx.small/ }).check();
  });

  await test.step('visibility: shows what becomes public and its address, then restarts', async () => {
    const panel = region(page, 'Visibility');
    // Public listing doesn't exist yet, so it has no switch: only the three measured settings do.
    await expect(panel.getByRole('switch')).toHaveCount(3);
    await expect(panel.getByText(/public lists/i)).toHaveCount(0);
    await expect(panel.getByText(/-8090\..*\/logs\/<container>/)).toBeVisible();
    await panel.getByRole('switch', { name: 'Public container logs' }).uncheck();
    await panel.getByRole('button', { name: 'Change visibility…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change visibility of renamed-app?' });
    // The local teepod shows them to the team whether or not they are public.
    await expect(
      dialog.getByText('Only your team and the machine’s operator can read: container logs.'),
    ).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Change and restart' }).click();
    await expect(dialog).toBeHidden();
    await expect.poll(async () => (await cvm()).public_logs, { timeout: 60_000 }).toBe(false);
    await untilRunning(page);
    expect(await cvm()).toMatchObject({ public_sysinfo: true, public_tcbinfo: true });
  });

  await test.step('OS image: shows digest and warning, then boots the new image', async () => {
    const panel = region(page, 'OS image');
    const other = panel.getByRole('radio', { checked: false }).first();
    const name = (await other.getAttribute('value')) ?? '';
    await other.check();
    await expect(panel.getByText(new RegExp(`Digest for ${name}`))).toBeVisible();
    await panel.getByRole('button', { name: 'Change OS image…' }).click();
    const dialog = page.getByRole('dialog', { name: `Run renamed-app on ${name}?` });
    await dialog.getByRole('button', { name: 'Change and restart' }).click();
    await expect
      .poll(async () => ((await cvm()).os as { name: string }).name, { timeout: 60_000 })
      .toBe(name);
    await untilRunning(page);
  });

  await test.step('schedule: uses a time zone and can be canceled', async () => {
    const panel = region(page, 'Schedule');
    await panel.getByRole('button', { name: 'Schedule: scheduled stop' }).click();
    const dialog = page.getByRole('dialog', { name: 'Schedule stop' });
    await expect(dialog.getByText('Disk and secrets are kept.', { exact: false })).toBeVisible();
    await expect(dialog.getByText(/Cost once stopped: \$[\d.]+ → \$[\d.]+ \/ hour, /)).toBeVisible();
    await dialog.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await dialog.getByLabel('Date and time').fill('2020-01-01T12:00');
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
    await expect(dialog.getByText('This time is in the past.')).toBeVisible();
    await dialog.getByRole('button', { name: 'In 2 hours' }).click();
    await expect(dialog.getByText(/^in [12] h/)).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
    await expect(dialog).toBeHidden();
    const at = new Date(String((await cvm()).scheduled_stop_at)).getTime();
    expect(Math.abs(at - Date.now() - 7_200_000)).toBeLessThan(180_000);
    await panel.getByRole('button', { name: 'Cancel schedule' }).click();
    await expect.poll(async () => (await cvm()).scheduled_stop_at).toBeNull();
    // Waits until the page has the CVM's new version, which the next change refers to.
    await expect(panel.getByText('Not scheduled', { exact: true })).toHaveCount(2);
  });

  await test.step('protection: disables deletion with a reason; turning it off requires confirmation', async () => {
    const panel = region(page, 'Protection');
    await panel.getByRole('button', { name: 'Turn on…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on', exact: true }).click();
    await expect(panel.getByText('on', { exact: true })).toBeVisible();
    await expect(region(page, 'Delete').getByRole('button', { name: 'Delete…' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await ageSessions(email);
    await panel.getByRole('button', { name: 'Turn off…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await confirm.getByRole('textbox', { name: 'Your password' }).fill(PASSWORD);
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    await expect(panel.getByText('off', { exact: true })).toBeVisible();
  });

  await test.step('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('delete: shows what the recycle bin keeps, and for how long', async () => {
    await region(page, 'Delete').getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete renamed-app?' });
    await expect(dialog.getByText(/The recycle bin keeps its disk of 20 GB/)).toBeVisible();
    await expect(dialog.getByText('Cost in the recycle bin: $0.058 → $0.002 / hour')).toBeVisible();
    await dialog.getByRole('switch').check();
    await expect(dialog.getByText(/is erased now\. There is no other copy/)).toBeVisible();
    await dialog.getByRole('switch').uncheck();
    await expectAccessible(page);
    await dialog.getByRole('textbox').fill('renamed-app');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL(`**/${slug}`);
    // One toast, which ends with the result and keeps the link.
    const toasts = page.getByRole('status', { name: 'Notifications' });
    await expect(toasts.getByText('Deleted: renamed-app')).toBeVisible();
    await expect(toasts.getByText('Deleting renamed-app')).toHaveCount(0);
    await expect(toasts.getByRole('link', { name: 'Recycle bin' })).toBeVisible();
  });

  await test.step('recycle bin: shows what will be deleted and when; a restored CVM runs again', async () => {
    // The link is in another place until the list is empty, too.
    await expect(page.getByText('No apps yet')).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Recycle bin (1)' }).click();
    await page.waitForURL('**?show=bin');
    const row = page.getByRole('row').filter({ hasText: 'renamed-app' });
    await expect(row.getByText(/20 GB disk, 1 address/)).toBeVisible();
    await expect(row.getByText(/^in (1 d|2[34] h)/)).toBeVisible({ timeout: 60_000 });
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await row.getByRole('button', { name: 'Restore renamed-app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore renamed-app?' });
    await expect(dialog.getByText('Cost: $0.002 → $0.058 / hour, $1.46 → $42.34 / month')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await page.waitForURL(`**${path}`);
    await untilRunning(page);
    // Restoring and starting are one row, with actor and duration.
    const events = page.getByRole('list', { name: 'Recent events' }).locator(':scope > li');
    const restored = events.filter({ hasText: 'Restored from the recycle bin' });
    await expect(restored).toHaveCount(1);
    await expect(restored).toContainText(/ · took \d/);
  });

  await test.step('deletes permanently after typing the name', async () => {
    await page.goto(`${path}/settings`);
    await region(page, 'Delete').getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill('renamed-app');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL(`**/${slug}`);
    await page.goto(`/${slug}?show=bin`);
    const row = page.getByRole('row').filter({ hasText: 'renamed-app' });
    await expect(row.getByRole('button', { name: 'Restore renamed-app' })).not.toHaveAttribute(
      'aria-disabled',
      'true',
      {
        timeout: 60_000,
      },
    );
    await row.getByRole('button', { name: 'Actions for renamed-app' }).click();
    await page.getByRole('menuitem', { name: 'Destroy now…' }).click();
    const purge = page.getByRole('alertdialog', { name: 'Destroy renamed-app now?' });
    await expect(purge.getByRole('button', { name: 'Destroy' })).toBeDisabled();
    await expectAccessible(page);
    await purge.getByRole('textbox').fill('renamed-app');
    await purge.getByRole('button', { name: 'Destroy' }).click();
    await expect(page.getByText('The recycle bin is empty')).toBeVisible({ timeout: 60_000 });
    await expectAccessible(page);
  });

  // A name with two dashes is rejected, and disabling protection required confirmation first.
  const rest = withoutStatus(complaints, 400, 403).filter(
    (text) => !/status of 404.*\/cvms\/[^/]+$/.test(text),
  );
  expect(rest).toEqual([]);
});

test('a viewer sees the settings and why each is disabled', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug, email } = await registerUser(page, 'viewer');
  const path = await deployApp(page, slug, { name: 'looked-at', compose: COMPOSE });
  // Otherwise, an open page would request data that only the owner may read.
  await page.goto('about:blank');
  await onDatabase(
    "update memberships set role = 'viewer' where user_id = (select id from users where email = $1)",
    [email],
  );
  await page.goto(`${path}/settings`);
  await expect(region(page, 'OS image').getByRole('radio').first()).toBeVisible();
  for (const name of ['Rename…', 'Turn on…', 'Delete…', 'Schedule: scheduled stop'])
    await expect(page.getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('switch', { name: 'Public container logs' })).toBeDisabled();
  await expect(page.getByText('You can’t change this CVM’s settings.')).toBeVisible();
  await expectAccessible(page);
  await page.goto(`${path}/compose`);
  await expect(page.getByText('You can’t update this CVM.')).toBeVisible();
  await expect(page.getByText('You can still')).toHaveCount(0);
  await onDatabase(
    "update memberships set role = 'owner' where user_id = (select id from users where email = $1)",
    [email],
  );
  await callApi(page, 'delete', `/cvms/${path.split('/').at(-1)}?permanently`, { team: slug });
  expect(complaints).toEqual([]);
});
