import { expect, test, type Page } from '../browser';
import { withoutStatus, callApi, onDatabase } from '../accounts';
import { expectAccessible, expectNoSidewaysScroll, registerUser, watchConsole } from '../support';

/* The page for command-line logins alone; cli.spec.ts tests it with the published client. */

interface DeviceCode {
  device_code: string;
  user_code: string;
}

const start = (page: Page) =>
  callApi<DeviceCode>(page, 'post', '/auth/device/code', {
    data: { client_id: 'phala-cli', scope: 'user:profile cvms:* nodes:*' },
  });

test('approves a typed code; a team where the user is a viewer can’t be chosen', async ({
  page,
  browser,
  baseURL,
}) => {
  const hosts = await browser.newContext({ baseURL: baseURL ?? '' });
  const host = await hosts.newPage();
  const { slug: theirs } = await registerUser(host, 'landlord');
  const { email, slug } = await registerUser(page, 'lodger');
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
  await expect(page.getByText('No login is waiting for', { exact: false })).toBeVisible();
  // The same code is looked up again, although the address stays the same.
  const again = page.waitForResponse('**/api/v1/auth/device/ZZZZ-ZZZZ');
  await page.getByLabel('Code', { exact: true }).fill('zzzzzzzz');
  await page.keyboard.press('Enter');
  await again;
  await expect(page.getByText('No login is waiting for', { exact: false })).toBeVisible();
  // Lowercase with a space, as users type it.
  await page.getByLabel('Code', { exact: true }).fill(user_code.toLowerCase().replace('-', ' '));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Approve this login?' })).toBeVisible();
  await expect(page.getByText(user_code, { exact: true })).toBeVisible();
  await expect(page.getByText('phala-cli', { exact: true })).toBeVisible();
  // The request and the browser share a network in this test.
  await expect(page.getByText('different network', { exact: false })).toBeHidden();

  const team = page.getByLabel('Team', { exact: true });
  await expect(team).toHaveValue(slug);
  await expect(team.locator(`option[value="${theirs}"]`)).toBeDisabled();
  await expect(team.locator(`option[value="${theirs}"]`)).toContainText('viewer can’t create tokens');
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
  expect(withoutStatus(complaints, 404)).toEqual([]);
  await hosts.close();
});

test('warns about another network; handles denial and expiration', async ({ page }) => {
  await registerUser(page, 'watchful');
  const { user_code } = await start(page);
  await onDatabase(`update device_authorizations set ip = '203.0.113.9' where user_code = $1`, [user_code]);
  await page.goto(`/cli/verify?user_code=${user_code}`);
  await expect(page.getByText('This login comes from a different network.')).toBeVisible();
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
