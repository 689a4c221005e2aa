import { expect, test, type Page } from '../browser';
import { signInAs } from '../staff';
import { expectAccessible, watchConsole } from '../support';

const unique = () => Math.random().toString(36).slice(2, 8);
const main = (page: Page) => page.getByRole('main');
const heading = (page: Page, name: string | RegExp) => main(page).getByRole('heading', { level: 1, name });

async function openAsAdmin(page: Page, path: string): Promise<void> {
  await signInAs(page, 'admin');
  await page.goto(path);
}

test('manages KMS keys, contracts and GPUs', async ({ page }) => {
  const complaints = watchConsole(page);
  await openAsAdmin(page, '/admin/infra/kms');

  await test.step('the local KMS is labeled, checked and lists its dependents', async () => {
    await main(page).getByRole('table', { name: 'KMS' }).getByRole('link', { name: 'local' }).first().click();
    await expect(heading(page, 'local')).toBeVisible();
    await main(page).getByRole('button', { name: 'Check' }).click();
    await expect(main(page).getByText('OK', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('no hardware protects its keys')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Relationships' }).click();
    await expect(page).toHaveURL(/\/admin\/infra\/kms\/\d+\/relationships$/);
    await expect(page.getByRole('link', { name: 'local-teepod' }).first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('adds an unreachable KMS and pins its key manually', async () => {
    const name = `kms-${unique()}`;
    await page.goto('/admin/infra/kms/create');
    await main(page).getByLabel(/^Slug/).fill(name);
    await main(page).getByLabel(/^URL/).fill('http://127.0.0.1:9');
    await main(page).getByLabel(/^K256/i).fill('not a key');
    await page.getByRole('button', { name: 'Add KMS' }).click();
    await expect(main(page).getByLabel(/^K256/i)).toHaveAttribute('aria-invalid', 'true');
    await main(page)
      .getByLabel(/^K256/i)
      .fill(`02${'ab'.repeat(32)}`);
    await page.getByRole('button', { name: 'Add KMS' }).click();
    await expect(heading(page, name)).toBeVisible();
    await expect(main(page).getByText('Not responding').first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('shows that a contract’s chain is not responding', async () => {
    await page.goto('/admin/infra/kms-contracts/create');
    const label = `Contract ${unique()}`;
    await main(page)
      .getByLabel(/^Label/)
      .fill(label);
    await main(page)
      .getByLabel(/^Chain/)
      .selectOption('local');
    await main(page)
      .getByLabel(/^Address/)
      .fill(`0x${unique().replaceAll(/[^0-9a-f]/g, '0')}${'a'.repeat(34)}`);
    await page.getByRole('button', { name: 'Add KMS contract' }).click();
    await expect(heading(page, label)).toBeVisible();
    await expect(main(page).getByText('Not responding').first()).toBeVisible();
    await expect(
      main(page).getByText(/The RPC for Local development \(127\.0\.0\.1:\d+\) isn't responding/),
    ).toBeVisible();
    const changes = page.getByRole('region', { name: 'Change the contract' });
    await changes.getByLabel('Change').selectOption({ label: 'Allow an OS image' });
    await changes.getByLabel('OS image hash').fill('no hash');
    await expect(changes.getByText('A hash of 64 hex digits.').first()).toBeVisible();
    await expect(changes.getByText('cast send')).toBeHidden();
    // A partial hash, which would be padded with zeros.
    await changes.getByLabel('OS image hash').fill('ab'.repeat(31));
    await expect(changes.getByText('cast send')).toBeHidden();
    await changes.getByLabel('OS image hash').fill('ab'.repeat(32));
    await expect(changes.getByText(`'addOsImageHash(bytes32)' 0x${'ab'.repeat(32)}`)).toBeVisible();
    await expect(changes.getByRole('button', { name: 'Download Safe file' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('prepares, disables and re-enables a GPU, with its history', async () => {
    await page.goto('/admin/infra/gpus/create');
    await main(page)
      .getByLabel(/^Teepod/)
      .click();
    await page.getByRole('option', { name: 'local-teepod' }).click();
    const slot = `0000:${Math.floor(Math.random() * 200 + 16)
      .toString(16)
      .padStart(2, '0')}:00.0`;
    await main(page).getByLabel(/^Slot/).fill(slot);
    await page.getByRole('button', { name: 'Add GPU' }).click();
    await expect(heading(page, `local-teepod ${slot}`)).toBeVisible();
    await page.getByRole('link', { name: 'Allocation' }).click();
    await expect(page).toHaveURL(/\/admin\/infra\/gpus\/\d+\/allocation$/);
    // Waits for this page: the overview, which has the same buttons, stays until this page's code has loaded.
    await expect(main(page).getByText('Current allocation')).toBeVisible();
    await main(page)
      .getByRole('button', { name: /^Mark faulty/ })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Reason/).fill('Xid 79: fell off the bus');
    await dialog.getByRole('button', { name: 'Mark faulty' }).click();
    await expect(main(page).getByText('Faulty', { exact: true }).first()).toBeVisible();
    await expect(main(page).getByText('Xid 79: fell off the bus').first()).toBeVisible();
    await expectAccessible(page);
    await main(page)
      .getByRole('button', { name: /^Repair/ })
      .click();
    await dialog.getByRole('button', { name: 'Repair' }).click();
    await expect(main(page).getByRole('table').getByText('Repaired')).toBeVisible();
    await expect(main(page).getByText('Free', { exact: true }).first()).toBeVisible();
  });

  expect(complaints).toEqual([]);
});
