import { expect, test, type Page } from '../browser';
import { signInAs } from '../staff';
import { callApi, expectAccessible, watchConsole } from '../support';
import { addOwnHost } from './ownHost';

const main = (page: Page) => page.getByRole('main');

test('an administrator deploys an AI gateway in a TEE with one form', async ({ page }) => {
  const complaints = watchConsole(page);
  await signInAs(page, 'admin');
  const host = await addOwnHost(page);
  const gateway = `ai-${host.name}`;
  const { id } = await callApi<{ id: number }>(page, 'post', '/admin/ai-gateways', {
    data: {
      name: gateway,
      url: 'https://ai.example.com',
      image: `registry.example.com/private-ai-gateway@sha256:${'a1'.repeat(32)}`,
    },
  });
  await page.goto(`/admin/ai-gateways/${id}`);
  const dialog = page.getByRole('dialog');
  const choose = async (label: RegExp, option: string) => {
    await dialog.getByRole('combobox', { name: label }).fill(option);
    await page.getByRole('option', { name: option }).click();
  };
  const deploy = dialog.getByRole('button', { name: 'Deploy', exact: true });

  await test.step('the form states the host requirements, and the built-in host is refused', async () => {
    await main(page).getByRole('button', { name: 'Deploy…' }).click();
    await expect(dialog.getByText('A host with a TEE', { exact: false })).toBeVisible();
    await expectAccessible(page);
    await choose(/^Instance type/, 'tdx.small');
    await choose(/^Teepod/, 'local-teepod');
    await deploy.click();
    await expect(dialog.getByText('It has no TEE', { exact: false }).first()).toBeVisible();
  });

  await test.step('it becomes a CVM on a host with a TEE', async () => {
    await choose(/^Teepod/, host.name);
    await deploy.click();
    await expect(dialog).toBeHidden();
    await expect(async () => {
      await page.reload();
      await expect(main(page).getByText('Running', { exact: true })).toBeVisible({ timeout: 15_000 });
    }).toPass({ timeout: 120_000 });
    // It can be deployed only once.
    await expect(main(page).getByRole('button', { name: 'Deploy…' })).toHaveCount(0);
    await expectAccessible(page);
  });

  await test.step('its evidence is a click away', async () => {
    await main(page).getByRole('link', { name: 'Compose file' }).click();
    await expect(page).toHaveURL(/\/admin\/cvms\/[^/]+\/compose$/);
    await expect(page.getByRole('heading', { level: 1, name: `gateway-${gateway}` })).toBeVisible();
    await expect(main(page).getByText('TEEHOUSE_CONTROL_TOKEN').first()).toBeVisible();
  });
  // The deployment that was refused.
  expect(complaints.filter((one) => !one.includes('/deploy'))).toEqual([]);
  await host.fake.close();
});
