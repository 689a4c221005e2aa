import { expect, request, test, type Page } from '../browser';
import { callApi } from '../accounts';
import { expectAccessible, expectNoSidewaysScroll, registerUser, watchConsole } from '../support';

test.describe.configure({ timeout: 180_000 });

/** Requests with only the token and no cookie. */
async function statusWith(token: string, baseURL: string | undefined): Promise<number> {
  const context = await request.newContext({ baseURL: baseURL ?? '' });
  const answer = await context.get('/api/v1/auth/me', { headers: { 'X-API-Key': token } });
  await context.dispose();
  return answer.status();
}

async function createToken(page: Page, name: string): Promise<string> {
  await page.getByRole('link', { name: 'Create token' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create API token' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('checkbox', { name: /^Profile/ }).check();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy your token' });
  const token = (await shown.getByLabel(name, { exact: true }).textContent()) ?? '';
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.goBack();
  await expect(page).toHaveURL(/new=true/);
  await shown.getByRole('button', { name: 'I’ve copied it' }).click();
  await expect(shown).toBeHidden();
  return token;
}

test('creates, uses, renames and revokes a token', async ({ page, baseURL }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'builder');
  let token = '';

  await test.step('the empty page explains tokens; the form shows what is missing', async () => {
    await page.goto(`/${slug}/tokens`);
    await expect(page.getByText('No tokens yet', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await expect(dialog.getByText('Enter a name.')).toBeVisible();
    await expect(dialog.getByText('Choose at least one scope.')).toBeVisible();
    await dialog.getByLabel('Expires').selectOption('custom');
    await dialog.getByLabel('Days', { exact: true }).fill('0');
    await expect(dialog.getByText('Enter 1 to 3650 days.')).toBeVisible();
    await dialog.getByLabel('Expires').selectOption('never');
    await expect(dialog.getByText('This token never expires.')).toBeVisible();
    await expectAccessible(page);
    // The dialog is part of the URL, so Back closes it.
    await page.goBack();
    await expect(dialog).toBeHidden();
  });

  await test.step('the token is shown once, matches the published pattern and works', async () => {
    token = await createToken(page, 'CI');
    const pattern = await page.getByLabel('Secret scanning pattern', { exact: true }).textContent();
    expect(token).toMatch(new RegExp(`^${pattern ?? 'no pattern'}$`));
    expect(await statusWith(token, baseURL)).toBe(200);
    await expect(page.getByText(token)).toHaveCount(0);
    await page.reload();
    await expect(page.getByText(token)).toHaveCount(0);
    const row = page.getByRole('row', { name: /CI/ });
    await expect(row.getByText('Active')).toBeVisible();
    await expect(row.getByText('does not expire')).toHaveCount(0);
  });

  await test.step('the token is renamed', async () => {
    await page.getByRole('button', { name: 'Actions for CI' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('CI of main');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await expect(page.getByRole('row', { name: /CI of main/ })).toBeVisible();
  });

  await test.step('a revoked token is refused at its next request', async () => {
    await page.getByRole('button', { name: 'Actions for CI of main' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByRole('row', { name: /CI of main/ }).getByText('Revoked')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Actions for CI of main' })).toBeFocused();
    expect(await statusWith(token, baseURL)).toBe(401);
    await page.getByLabel('Status').selectOption('active');
    await page.waitForURL('**/tokens?state=active');
    await expect(page.getByText('No active tokens')).toBeVisible();
  });
  expect(complaints).toEqual([]);
});

test('changes the API version of a token, which its requests then get by default', async ({
  page,
  baseURL,
}) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'versions');
  await page.goto(`/${slug}/tokens`);
  const token = await createToken(page, 'Provisioner');
  const versionOf = async (headers: Record<string, string> = {}) => {
    const context = await request.newContext({ baseURL: baseURL ?? '' });
    const answer = await context.get('/api/v1/auth/me', { headers: { 'X-API-Key': token, ...headers } });
    await context.dispose();
    return answer.headers()['x-phala-version'];
  };
  const row = page.getByRole('row', { name: /Provisioner/ });
  await expect(row.getByText('Server default')).toBeVisible();
  expect(await versionOf()).toBe('2026-01-21');

  const open = async () => {
    await page.getByRole('button', { name: 'Actions for Provisioner' }).click();
    await page.getByRole('menuitem', { name: 'Change API version' }).click();
    return page.getByRole('dialog', { name: 'API version of Provisioner' });
  };
  await test.step('closing the dialog changes nothing', async () => {
    const dialog = await open();
    await dialog.getByRole('combobox', { name: 'API version' }).selectOption('2025-10-28');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await expect(row.getByText('Server default')).toBeVisible();
  });

  await test.step('a saved version applies to requests that name none', async () => {
    const dialog = await open();
    await expect(dialog.getByRole('combobox', { name: 'API version' })).toHaveValue('');
    await dialog.getByRole('combobox', { name: 'API version' }).selectOption('2026-05-22');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(row.getByText('2026-05-22')).toBeVisible();
    expect(await versionOf()).toBe('2026-05-22');
    expect(await versionOf({ 'X-Phala-Version': '2026-06-23' })).toBe('2026-06-23');
  });

  await test.step('the server default can be chosen again', async () => {
    const dialog = await open();
    await dialog
      .getByRole('combobox', { name: 'API version' })
      .selectOption({ label: 'Server default (2026-01-21)' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(row.getByText('Server default')).toBeVisible();
    expect(await versionOf()).toBe('2026-01-21');
  });
  expect(complaints).toEqual([]);
});

test('the former address shows the default team’s tokens and names the current one', async ({ page }) => {
  const { slug } = await registerUser(page, 'older');
  await callApi(page, 'post', `/workspaces/${slug}/tokens`, {
    data: { name: 'Seen at both', scopes: ['cvms:*'], expires_in_days: 3 },
  });
  await page.goto('/dashboard/tokens');
  await expect(page).toHaveTitle(/^API tokens/);
  const row = page.getByRole('row', { name: /Seen at both/ });
  await expect(row.getByText(/^in [23] d$/)).toBeVisible();
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', new RegExp(`/${slug}/tokens$`));
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});
