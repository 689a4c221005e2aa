import { expect, request, test, type Page } from '@playwright/test';
import { callApi } from './people';
import { expectAccessible, expectNoSidewaysScroll, registerInBrowser, watchConsole } from './support';

test.describe.configure({ timeout: 180_000 });

/** What the token itself can do, without any cookie. */
async function statusWith(token: string, baseURL: string | undefined): Promise<number> {
  const context = await request.newContext({ baseURL: baseURL ?? '' });
  const answer = await context.get('/api/v1/auth/me', { headers: { 'X-API-Key': token } });
  await context.dispose();
  return answer.status();
}

async function createToken(page: Page, name: string): Promise<string> {
  await page.getByRole('link', { name: 'Create a token' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Create an API token' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('checkbox', { name: /^Profile/ }).check();
  await dialog.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy your token' });
  const token = (await shown.getByLabel(name, { exact: true }).textContent()) ?? '';
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await shown.getByRole('button', { name: 'I have copied it' }).click();
  await expect(shown).toBeHidden();
  return token;
}

test('a token: made, used, renamed, revoked', async ({ page, baseURL }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'builder');
  let token = '';

  await test.step('an empty page teaches; the form says what is missing', async () => {
    await page.goto(`/${slug}/tokens`);
    await expect(page.getByText('No tokens', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Create a token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await expect(dialog.getByText('Give it a name.')).toBeVisible();
    await expect(dialog.getByText('Choose at least one.')).toBeVisible();
    await dialog.getByLabel('Expires').selectOption('custom');
    await dialog.getByLabel('Days', { exact: true }).fill('0');
    await expect(dialog.getByText('A number of days from 1 to 3650.')).toBeVisible();
    await dialog.getByLabel('Expires').selectOption('never');
    await expect(dialog.getByText('It works until somebody revokes it.')).toBeVisible();
    await expectAccessible(page);
    // The dialog has an address: Back closes it.
    await page.goBack();
    await expect(dialog).toBeHidden();
  });

  await test.step('shown once, fits the published pattern, and works', async () => {
    token = await createToken(page, 'CI');
    const pattern = await page.getByLabel('Pattern for secret scanners', { exact: true }).textContent();
    expect(token).toMatch(new RegExp(`^${pattern ?? 'no pattern'}$`));
    expect(await statusWith(token, baseURL)).toBe(200);
    await expect(page.getByText(token)).toHaveCount(0);
    await page.reload();
    await expect(page.getByText(token)).toHaveCount(0);
    const row = page.getByRole('row', { name: /CI/ });
    await expect(row.getByText('Active')).toBeVisible();
    await expect(row.getByText('does not expire')).toHaveCount(0);
  });

  await test.step('renamed', async () => {
    await page.getByRole('button', { name: 'Actions for CI' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('CI of main');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await expect(page.getByRole('row', { name: /CI of main/ })).toBeVisible();
  });

  await test.step('revoked, its next request is refused', async () => {
    await page.getByRole('button', { name: 'Actions for CI of main' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByRole('row', { name: /CI of main/ }).getByText('Revoked')).toBeVisible();
    expect(await statusWith(token, baseURL)).toBe(401);
    await page.getByLabel('State').selectOption('active');
    await page.waitForURL('**/tokens?state=active');
    await expect(page.getByText('No active tokens')).toBeVisible();
  });
  expect(complaints).toEqual([]);
});

test('the older address shows the default team’s tokens, and names the newer one', async ({ page }) => {
  const { slug } = await registerInBrowser(page, 'older');
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
