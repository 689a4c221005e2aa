import { expect, test } from '../browser';
import { signInAs } from '../staff';
import { registerInBrowser, watchConsole } from '../support';

test('chooses a teepod’s teams by name, and reports missing fields', async ({ page, browser }) => {
  const complaints = watchConsole(page);
  const other = await (await browser.newContext()).newPage();
  const { slug } = await registerInBrowser(other, 'host-team');
  await other.close();
  await signInAs(page, 'admin');
  await page.goto('/admin/infra/teepods/1/teams');
  const main = page.getByRole('main');
  const add = main.getByRole('button', { name: 'Add team' });
  await add.click();
  await expect(main.getByText('Choose a team.')).toBeVisible();
  await main.getByRole('combobox', { name: 'Team' }).fill(slug);
  await page.getByRole('option', { name: slug }).click();
  await add.click();
  const row = main.getByRole('row').filter({ hasText: slug });
  await expect(row).toBeVisible();
  await expect(main.getByRole('combobox', { name: 'Team' })).toHaveValue('');
  // Other tests use this host.
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await expect(row).toHaveCount(0);
  expect(complaints).toEqual([]);
});

test('confirms that settings were saved', async ({ page }) => {
  const complaints = watchConsole(page);
  await signInAs(page, 'admin');
  await page.goto('/admin/system/settings');
  const main = page.getByRole('main');
  const age = main.getByRole('textbox', { name: 'Minimum age' });
  await expect(age).toBeEnabled();
  const before = await age.inputValue();
  const save = main.getByRole('button', { name: 'Save changes' });
  const dismissSaved = async () => {
    const saved = page.getByText('Settings saved', { exact: true });
    await expect(saved).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
    await expect(saved).toHaveCount(0);
  };
  let answer = () => {};
  const isHeld = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/api/v1/admin/settings', async (route) => {
    if (route.request().method() === 'PATCH') await isHeld;
    await route.continue();
  });
  await age.fill(before === '7' ? '8' : '7');
  await save.click();
  // What is typed until the settings have been read again is kept.
  await age.fill(before);
  answer();
  await dismissSaved();
  await save.click();
  await dismissSaved();
  await expect(age).toHaveValue(before);
  expect(complaints).toEqual([]);
});
