import { expect, test, type Page } from '@playwright/test';
import { startFakeVmm } from '../../server/drivers/vmm/fake';
import { createAdmin, expectAccessible, signIn, watchConsole } from './support';

const unique = () => Math.random().toString(36).slice(2, 8);
const main = (page: Page) => page.getByRole('main');

test('an administrator tries a host, adds it, compares it, and empties it', async ({ page }) => {
  const complaints = watchConsole(page);
  const fake = await startFakeVmm({ token: 'e2e-token' });
  const name = `pod-${unique()}`;
  await createAdmin().then(async (email) => {
    await page.goto('/admin/infra/teepods/create');
    await signIn(page, email);
    await page.waitForURL('**/admin/infra/teepods/create');
  });
  const result = page.getByRole('status', { name: 'Result of the check' });

  await test.step('what is typed is tried before it is kept', async () => {
    await main(page).getByLabel(/^Url/i).fill(fake.url);
    await page.getByRole('button', { name: 'Check this host' }).click();
    await expect(result.getByText('Give the token of [auth]')).toBeVisible();
    await expectAccessible(page);
    await main(page)
      .getByLabel(/^Credential kind/)
      .selectOption('bearer');
    await main(page)
      .getByLabel(/^Credential(?! kind)/)
      .fill('e2e-token');
    await page.getByRole('button', { name: 'Check this host' }).click();
    await expect(result.getByText('dstack-vmm 0.6.0.')).toBeVisible();
  });

  await test.step('add it', async () => {
    await main(page).getByLabel(/^Name/).fill(name);
    const node = main(page).getByRole('combobox', { name: /^Node/ });
    await node.click();
    await node.fill('local');
    await page.getByRole('option', { name: /local/ }).first().click();
    await page.getByRole('button', { name: 'Add teepod' }).click();
    await expect(main(page).getByRole('heading', { level: 1, name })).toBeVisible();
  });

  await test.step('its pages', async () => {
    const home = page.url();
    for (const [path, text] of [
      ['hosted-cvms', 'No VMs'],
      ['managed-cvms', 'No CVMs'],
      ['teams', 'Every team may deploy here'],
      ['os-images', 'dstack'],
      ['kms', 'No key service is chosen'],
    ] as const) {
      await page.goto(`${home}/${path}`);
      await expect(main(page).getByText(text).first()).toBeVisible();
      await expectAccessible(page);
    }
    await page.goto(home);
  });

  await test.step('empty it: nothing runs there, so it ends at once', async () => {
    await main(page)
      .getByRole('button', { name: /^Drain/ })
      .click();
    const dialog = page.getByRole('dialog', { name: /^Drain/ });
    await dialog.getByLabel(/^Reason/).fill('Its memory is replaced.');
    await dialog.getByLabel('Type the name to confirm').fill(name);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click();
    await expect(dialog).toBeHidden();
    await page.goto('/admin/infra/drains');
    await expect(main(page).getByRole('row', { name: new RegExp(name) })).toContainText('Succeeded');
    await expectAccessible(page);
  });

  await test.step('the map finds it', async () => {
    await page.goto('/admin/infra');
    await main(page).getByLabel('Search').fill(name);
    await expect(page).toHaveURL(new RegExp(`q=${name}`));
    await expect(main(page).getByRole('link', { name })).toBeVisible();
    await expectAccessible(page);
  });

  expect(complaints).toEqual([]);
  await fake.close();
});
