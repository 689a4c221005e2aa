import { expect, test, type Page } from '../browser';
import type { AdminDrain, AdminDrainPlan, AdminHostImages } from '../../../generated/api/types.gen';
import { startFakeVmm } from '../../../server/drivers/vmm/fake';
import { createAdmin, expectAccessible, signIn, watchConsole } from '../support';

const unique = () => Math.random().toString(36).slice(2, 8);
const main = (page: Page) => page.getByRole('main');

test('an administrator tests, adds, compares and drains a host', async ({ page }) => {
  const complaints = watchConsole(page);
  const fake = await startFakeVmm({ token: 'e2e-token' });
  const name = `pod-${unique()}`;
  await createAdmin().then(async (email) => {
    await page.goto('/admin/infra/teepods/create');
    await signIn(page, email);
    await page.waitForURL('**/admin/infra/teepods/create');
  });
  const result = page.getByRole('status', { name: 'Check result' });

  await test.step('the connection is tested before saving', async () => {
    await main(page).getByLabel(/^Url/i).fill(fake.url);
    await page.getByRole('button', { name: 'Check host' }).click();
    await expect(result.getByText('Enter the [auth] token')).toBeVisible();
    await expectAccessible(page);
    await main(page)
      .getByLabel(/^Credential kind/)
      .selectOption('bearer');
    await main(page)
      .getByLabel(/^Credential(?! kind)/)
      .fill('e2e-token');
    await page.getByRole('button', { name: 'Check host' }).click();
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
      ['teams', 'Every team can deploy here'],
      ['os-images', 'dstack'],
      ['kms', 'No key service is set'],
    ] as const) {
      await page.goto(`${home}/${path}`);
      await expect(main(page).getByText(text).first()).toBeVisible();
      await expectAccessible(page);
    }
    await page.goto(home);
  });

  await test.step('its images can be pulled, and deleted unless CVMs need them', async () => {
    const home = page.url();
    const images = {
      answered: true,
      error: null,
      images: [
        { name: 'dstack-0.5.5', version: '0.5.5', is_dev: false, cvm_count: 0 },
        { name: 'dstack-0.6.0', version: '0.6.0', is_dev: false, cvm_count: 2 },
      ],
      registry_images: [{ tag: '0.6.1', local: false, pulling: false, error: null }],
      registry_error: null,
    } satisfies AdminHostImages;
    const pulling = {
      ...images,
      registry_images: [{ ...images.registry_images[0]!, pulling: true }],
    };
    let current: AdminHostImages = images;
    await page.route('**/host-images', (route) => route.fulfill({ json: current }));
    await page.route('**/pull-image', (route) => {
      current = pulling;
      return route.fulfill({ json: current });
    });
    await page.goto(`${home}/os-images`);
    await main(page).getByRole('button', { name: 'Actions for dstack-0.6.0' }).last().click();
    await expect(page.getByRole('menuitem', { name: /Delete/ })).toBeDisabled();
    await page.keyboard.press('Escape');
    await main(page).getByRole('button', { name: 'Actions for dstack-0.5.5' }).click();
    await page.getByRole('menuitem', { name: /Delete/ }).click();
    const confirm = page.getByRole('alertdialog', { name: 'Delete dstack-0.5.5?' });
    const deleteImage = confirm.getByRole('button', { name: 'Delete image' });
    await expect(deleteImage).toBeDisabled();
    await confirm.getByLabel('Type the name to confirm').fill('dstack-0.5.5');
    await expect(deleteImage).toBeEnabled();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await main(page).getByRole('button', { name: 'Actions for 0.6.1' }).click();
    await page.getByRole('menuitem', { name: 'Pull' }).click();
    await expect(main(page).getByText('Downloading')).toBeVisible();
    await page.unroute('**/host-images');
    await page.unroute('**/pull-image');
    await page.goto(home);
  });

  await test.step('the drain form lists the affected CVMs with what happens to each', async () => {
    const cvm = (name: string, can_move: boolean) => ({
      vm_uuid: `550e8400-e29b-41d4-a716-44665544000${can_move ? 1 : 2}`,
      name,
      team_slug: 'acme',
      status: 'running',
      can_move,
      reason: can_move ? 'Its owner allows moving it.' : 'Its disk is protected.',
      reason_keys: [],
    });
    const plan = { total: 2, cvms: [cvm('web', true), cvm('db', false)] } satisfies AdminDrainPlan;
    await page.route('**/drain-plan', (route) => route.fulfill({ json: plan }));
    await main(page)
      .getByRole('button', { name: /^Drain/ })
      .click();
    const dialog = page.getByRole('dialog', { name: /^Drain/ });
    const affected = dialog.getByRole('region', { name: 'Affected CVMs' });
    await expect(affected.getByRole('status')).toHaveText('2 CVMs: 1 to move, 1 to stop.');
    await expect(
      affected.getByLabel('What happens to db').getByRole('option', { name: /^Move/ }),
    ).toBeDisabled();
    await affected.getByLabel('What happens to web').selectOption('Leave running');
    await expect(affected.getByRole('status')).toHaveText(
      '2 CVMs: 1 to stop, 1 to leave running. The drain can’t finish while a CVM keeps running.',
    );
    await expect(dialog.getByText('JSON')).toHaveCount(0);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.unroute('**/drain-plan');
  });

  await test.step('drain an empty host: finishes immediately', async () => {
    await main(page)
      .getByRole('button', { name: /^Drain/ })
      .click();
    const dialog = page.getByRole('dialog', { name: /^Drain/ });
    await expect(dialog.getByText('No CVMs on this teepod.')).toBeVisible();
    await dialog.getByLabel(/^Reason/).fill('Its memory is replaced.');
    await dialog.getByLabel('Type the name to confirm').fill(name);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click();
    await expect(dialog).toBeHidden();
    await page.goto('/admin/infra/drains');
    await expect(main(page).getByRole('row', { name: new RegExp(name) })).toContainText('Succeeded');
    await expectAccessible(page);
  });

  await test.step("the drain's page writes the message itself, and shows the server's for an unknown ID", async () => {
    let unknown = false;
    await page.route(/\/api\/v1\/admin\/drains\/\d+$/, async (route) => {
      const reply = await route.fetch();
      const drain = (await reply.json()) as AdminDrain;
      const keys = unknown ? [{ id: 'of_a_newer_server', params: {} }] : drain.message_keys;
      await route.fulfill({
        response: reply,
        json: { ...drain, message: 'The server wrote this.', message_keys: keys },
      });
    });
    await main(page)
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('link')
      .first()
      .click();
    await expect(main(page).getByText('Nothing runs on the host anymore: 0 moved, 0 stopped.')).toBeVisible();
    unknown = true;
    await page.reload();
    await expect(main(page).getByText('The server wrote this.')).toBeVisible();
    await page.unroute(/\/api\/v1\/admin\/drains\/\d+$/);
  });

  await test.step('the fleet map shows it', async () => {
    await page.goto('/admin/infra');
    await main(page).getByLabel('Search').fill(name);
    await expect(page).toHaveURL(new RegExp(`q=${name}`));
    await expect(main(page).getByRole('link', { name })).toBeVisible();
    await expectAccessible(page);
  });

  expect(complaints).toEqual([]);
  await fake.close();
});

test('asks before saving a host whose check fails, then shows it as not responding', async ({ page }) => {
  const fake = await startFakeVmm({ token: 'e2e-token' });
  await fake.close();
  const name = `pod-${unique()}`;
  const email = await createAdmin();
  await page.goto('/admin/infra/teepods/create');
  await signIn(page, email);
  await page.waitForURL('**/admin/infra/teepods/create');
  await main(page).getByLabel(/^Url/i).fill(fake.url);
  await main(page).getByLabel(/^Name/).fill(name);
  const node = main(page).getByRole('combobox', { name: /^Node/ });
  await node.click();
  await node.fill('local');
  await page.getByRole('option', { name: /local/ }).first().click();
  const dialog = page.getByRole('dialog', { name: /although the check failed/ });
  await page.getByRole('button', { name: 'Add teepod' }).click();
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/teepods\/create$/);
  await page.getByRole('button', { name: 'Add teepod' }).click();
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await expect(main(page).getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(main(page).getByText('Not responding').first()).toBeVisible();

  await test.step('the list says what is observed, and keeps the cordon visible', async () => {
    await main(page)
      .getByRole('button', { name: /^Cordon/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cordon', exact: true }).click();
    await expect(main(page).getByText('Cordoned', { exact: true }).first()).toBeVisible();
    await page.goto(`/admin/infra/teepods?filter=${encodeURIComponent(JSON.stringify({ name }))}`);
    const row = main(page).getByRole('row', { name: new RegExp(name) });
    await expect(row).toContainText('Not responding');
    await expect(row).toContainText('Cordoned');
    // No aside or column choice is needed to see how full it is.
    await expect(row).toContainText(/0 of \d+/);
    await expectAccessible(page);
  });

  await test.step('dangerous actions stand apart, with their consequence', async () => {
    await main(page).getByRole('link', { name, exact: true }).click();
    const danger = main(page).getByRole('region', { name: 'Danger zone' });
    await expect(danger.getByRole('button', { name: 'Drain…' })).toBeVisible();
    await expect(danger.getByRole('button', { name: 'Delete…' })).toBeVisible();
    await expect(danger).toContainText('No new CVMs are placed here.');
    await expectAccessible(page);
  });

  await test.step('the overview starts with the silent host', async () => {
    await page.goto('/admin');
    const attention = main(page).getByRole('region', { name: 'Needs attention' });
    await expect(attention.getByRole('link').first()).toBeVisible();
    const all = attention.getByRole('button', { name: /^Show all/ });
    if (await all.isVisible()) await all.click();
    await attention.getByRole('link', { name: `${name} is unreachable` }).click();
    await expect(main(page).getByRole('heading', { level: 1, name })).toBeVisible();
  });
});
