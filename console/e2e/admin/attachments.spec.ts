import type { AvailableTeepods } from '../../../generated/api/types.gen';
import { expect, test, type Page } from '../browser';
import { callApi, createAdmin, expectAccessible, signIn, watchConsole, writeCompose } from '../support';
import { addOwnHost } from './ownHost';

const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n';
const main = (page: Page) => page.getByRole('main');

test('a member deploys with host ports and all GPUs of a host', async ({ page }) => {
  const complaints = watchConsole(page);
  await page.goto('/admin/infra/teepods');
  await signIn(page, await createAdmin());
  await page.waitForURL('**/admin/infra/teepods');
  const slot = '0000:18:00.0';
  const { fake, id, name, team } = await addOwnHost(page, {
    images: ['dstack-0.6.0', 'dstack-nvidia-0.6.0'],
    gpus: [{ slot, product_id: '10de:2335', description: 'NVIDIA H200' }],
    allow_attach_all: true,
  });
  // Its ports and GPUs are read periodically.
  await expect
    .poll(
      async () => {
        const { nodes } = await callApi<AvailableTeepods>(page, 'get', '/teepods/available', { team });
        return nodes.find(({ teepod_id }) => teepod_id === id);
      },
      { timeout: 90_000 },
    )
    .toMatchObject({ port_mapping: true, attach_all_gpus: true });
  const created = () =>
    fake.bodies.filter((_, i) => fake.requests[i]?.startsWith('/prpc/CreateVm')) as Record<string, unknown>[];
  const ports = page.getByLabel('Host ports');
  const allGpus = page.getByRole('switch', { name: 'All GPUs of the host' });
  const deploy = page.getByRole('button', { name: 'Deploy', exact: true });
  const fill = async (app: string) => {
    await page.getByLabel('Name', { exact: true }).fill(app);
    await writeCompose(page, COMPOSE);
    await page.locator('summary', { hasText: 'Advanced' }).click();
  };

  await test.step('the switch and ports are offered where a host allows them', async () => {
    await page.goto(`/dashboard/gpu-tee?team=${team}`);
    await page.getByRole('button', { name: 'Deploy One H200' }).click();
    await page.waitForURL(`**/${team}/deploy**`);
    await expect(page.getByRole('radio', { name: /h200\.small/ })).toBeChecked();
    await fill(`gpus-${name}`);
    await expect(ports).toBeEnabled();
    await expect(allGpus).not.toBeChecked();
    await expectAccessible(page);
  });

  await test.step('text that is not a list of ports is refused before anything is sent', async () => {
    await ports.fill('8443');
    await expect(page.getByText('Separate different host ports with commas', { exact: false })).toBeVisible();
    await ports.fill('8443:443, 8443:444');
    await deploy.click();
    await expect(page.getByText('Separate different host ports with commas', { exact: false })).toBeVisible();
    expect(created()).toEqual([]);
  });

  await test.step('the CVM has both, and its page shows the mapping', async () => {
    await ports.fill('8443:443, 5353:53/udp');
    await allGpus.click();
    await expect(allGpus).toBeChecked();
    await deploy.click();
    await page.waitForURL(`**/${team}/cvms/**`);
    await expect(main(page).getByText('Running', { exact: true }).first()).toBeVisible();
    expect(created().at(-1)).toMatchObject({
      gpus: { attach_mode: 'all' },
      ports: [
        { protocol: 'tcp', host_port: 8443, vm_port: 443 },
        { protocol: 'udp', host_port: 5353, vm_port: 53 },
      ],
    });
    await page.goto(`${new URL(page.url()).pathname}/network`);
    await expect(main(page).getByText(/8443/).first()).toBeVisible();
    await expect(main(page).getByText(/5353/).first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('another deployment learns which port is taken', async () => {
    await page.goto(`/${team}/deploy`);
    await fill(`taken-${name}`);
    await page.getByLabel('Region or host').selectOption(`teepod:${id}`);
    await ports.fill('9000:80, 8443:443');
    await deploy.click();
    await expect(page.getByText(`Port 8443/tcp of ${name} is mapped to another CVM.`).first()).toBeVisible();
    await ports.fill('9000:80');
    await deploy.click();
    await page.waitForURL(`**/${team}/cvms/**`);
    await expect(main(page).getByText('Running', { exact: true }).first()).toBeVisible();
    expect(created().at(-1)).toMatchObject({ ports: [{ host_port: 9000, vm_port: 80 }] });
  });
  // The refused deployment.
  expect(complaints.filter((one) => !one.includes('/cvms/provision'))).toEqual([]);
  await fake.close();
});
