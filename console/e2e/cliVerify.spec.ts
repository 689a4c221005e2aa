import { expect, test, type Page } from '@playwright/test';
import { apartFrom, callApi, onDatabase } from './people';
import { expectAccessible, expectNoSidewaysScroll, registerInBrowser, watchConsole } from './support';

/* What the page for command-line logins shows and refuses; cli.spec.ts does it with the published client. */

interface DeviceCode {
  device_code: string;
  user_code: string;
}

const start = (page: Page) =>
  callApi<DeviceCode>(page, 'post', '/auth/device/code', {
    data: { client_id: 'phala-cli', scope: 'user:profile cvms:* nodes:*' },
  });

test('a code typed by hand; a team the person only looks at cannot be chosen', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(120_000);
  const hosts = await browser.newContext({ baseURL: baseURL ?? '' });
  const host = await hosts.newPage();
  const { slug: theirs } = await registerInBrowser(host, 'landlord');
  const { email, slug } = await registerInBrowser(page, 'lodger');
  await onDatabase(
    `insert into memberships (team_id, user_id, role)
       select t.id, u.id, 'viewer' from teams t, users u where t.slug = $1 and u.email = $2`,
    [theirs, email],
  );
  const complaints = watchConsole(page);
  const { user_code, device_code } = await start(page);

  await page.goto('/cli/verify');
  await expect(page).toHaveTitle('Approve a command-line login · Teehouse');
  const field = page.getByLabel('Code', { exact: true });
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await field.fill('zzzz-zzzz');
  await page.keyboard.press('Enter');
  await expect(page.getByText('There is no login waiting under', { exact: false })).toBeVisible();
  // As people type it.
  await page.getByLabel('Code', { exact: true }).fill(user_code.toLowerCase().replace('-', ' '));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Approve this login?' })).toBeVisible();
  await expect(page.getByText(user_code, { exact: true })).toBeVisible();
  await expect(page.getByText('phala-cli', { exact: true })).toBeVisible();
  // The same machine asked and looks.
  await expect(page.getByText('another network', { exact: false })).toBeHidden();

  const team = page.getByLabel('Team it acts for');
  await expect(team).toHaveValue(slug);
  await expect(team.locator(`option[value="${theirs}"]`)).toBeDisabled();
  await expect(team.locator(`option[value="${theirs}"]`)).toContainText('a viewer makes no tokens');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoSidewaysScroll(page);

  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('heading', { name: 'Login approved' })).toBeVisible();
  const token = await callApi<{ access_token: string }>(page, 'post', '/auth/device/token', {
    data: {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'phala-cli',
      device_code,
    },
  });
  expect(token.access_token).toMatch(/^thk_cli_/);
  expect(apartFrom(complaints, 404)).toEqual([]);
  await hosts.close();
});

test('asked from another network, denied, expired', async ({ page }) => {
  await registerInBrowser(page, 'watchful');
  const { user_code } = await start(page);
  await onDatabase(`update device_authorizations set ip = '203.0.113.9' where user_code = $1`, [user_code]);
  await page.goto(`/cli/verify?user_code=${user_code}`);
  await expect(page.getByText('It was started in another network than yours.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Deny' }).click();
  await expect(page.getByRole('heading', { name: 'Login denied' })).toBeVisible();

  const late = await start(page);
  await page.goto(`/cli/verify?user_code=${late.user_code}`);
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible();
  await onDatabase(
    `update device_authorizations set expires_at = now() - interval '1 second' where user_code = $1`,
    [late.user_code],
  );
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('heading', { name: 'This code has expired' })).toBeVisible();
  await expectAccessible(page);
});
