import type { AvailableTeepods } from '../../../generated/api/types.gen';
import { expect, test, type Page } from '../browser';
import { signInAs } from '../staff';
import { callApi, expectAccessible, watchConsole, writeCompose } from '../support';
import { addOwnHost } from './ownHost';

const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n';
const main = (page: Page) => page.getByRole('main');

test('a member deploys with host ports and all GPUs of a host', async ({ page }) => {
  const complaints = watchConsole(page);
  await signInAs(page, 'admin');
  const slot = '0000:18:00.0';
  const { fake, id, name, team } = await addOwnHost(page, {
    images: ['dstack-0.6.0', 'dstack-nvidia-0.6.0'],
    gpus: [{ slot, product_id: '10de:2335', description: 'NVIDIA H200' }],
    allow_attach_all: true,
  });
  // The host's ports and GPUs are polled.
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
  const allGpus = page.getByRole('switch', { name: 'All GPUs on the host' });
  const deploy = page.getByRole('button', { name: 'Deploy', exact: true });
  const fill = async (app: string) => {
    await page.getByLabel('Name', { exact: true }).fill(app);
    await writeCompose(page, COMPOSE);
    await page.locator('summary', { hasText: 'Advanced' }).click();
  };

  await test.step('the switch and ports are offered if a host allows them', async () => {
    await page.goto(`/dashboard/gpu-tee?team=${team}`);
    await page.getByRole('button', { name: 'Deploy One H200' }).click();
    await page.waitForURL(`**/${team}/deploy**`);
    await expect(page.getByRole('radio', { name: /h200\.small/ })).toBeChecked();
    await fill(`gpus-${name}`);
    await expect(ports).toBeEnabled();
    await expect(allGpus).not.toBeChecked();
    await expectAccessible(page);
  });

  await test.step('text that isn’t a list of ports is refused before anything is sent', async () => {
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

  await test.step('another deployment reports which port is taken', async () => {
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
  // The deployment that was refused.
  expect(complaints.filter((one) => !one.includes('/cvms/provision'))).toEqual([]);
  await fake.close();
});

test('a member deploys with guest settings, which the CVM’s Compose page shows', async ({ page }) => {
  const complaints = watchConsole(page);
  await signInAs(page, 'admin');
  const { fake, id, name, team } = await addOwnHost(page);
  const created = () => fake.bodies.filter((_, i) => fake.requests[i]?.startsWith('/prpc/CreateVm'));
  const deploy = page.getByRole('button', { name: 'Deploy', exact: true });
  const swap = page.getByLabel('Swap', { exact: true });
  const write = async (label: string, text: string) => {
    await page.getByRole('textbox', { name: label, exact: true }).click();
    await page.keyboard.insertText(text);
  };

  await test.step('text that no guest can parse is refused before anything is sent', async () => {
    await page.goto(`/${team}/deploy`);
    await page.getByLabel('Name', { exact: true }).fill(`guest-${name}`);
    await writeCompose(page, COMPOSE);
    await page.getByLabel('Region or host').selectOption(`teepod:${id}`);
    await page.locator('summary', { hasText: 'Advanced' }).click();
    await swap.fill('2 GB');
    await deploy.click();
    await expect(
      page.getByText('Enter bytes, or a number with K, M, G or T', { exact: false }),
    ).toBeVisible();
    expect(created()).toEqual([]);
  });

  await test.step('swap that doesn’t fit on the disk is refused', async () => {
    await swap.fill('900T');
    await deploy.click();
    await expect(
      page.getByText('swap_size must be smaller than the disk', { exact: false }).first(),
    ).toBeVisible();
    expect(created()).toEqual([]);
  });

  await test.step('the CVM runs with all of them', async () => {
    await swap.fill('2G');
    await page.getByLabel('Gateway ports').fill('80, 443/proxy');
    await page.getByLabel('Runner').selectOption('nerdctl-compose');
    await page.getByLabel('Event log').selectOption('2');
    await write('Init script', 'echo early');
    await write('Requirements', '{"os_version": ">=0.6.0"}');
    await expectAccessible(page);
    await deploy.click();
    await page.waitForURL(`**/${team}/cvms/**`);
    await expect(main(page).getByText('Running', { exact: true }).first()).toBeVisible();
    const { compose_file } = created().at(-1) as { compose_file: string };
    expect(JSON.parse(compose_file)).toMatchObject({
      swap_size: '2G',
      port_policy: { ports: [{ port: 80 }, { port: 443, pp: true }], restrict_mode: true },
      runner: 'nerdctl-compose',
      event_log_version: 2,
      init_script: 'echo early',
      requirements: { os_version: '>=0.6.0' },
    });
  });

  await test.step('its Compose page shows them', async () => {
    await page.goto(`${new URL(page.url()).pathname}/compose`);
    await expect(main(page).getByRole('heading', { name: 'Guest settings' })).toBeVisible();
    const settings = main(page).getByRole('region', { name: 'Guest settings' });
    for (const text of [
      '"swap_size": "2G"',
      '"runner": "nerdctl-compose"',
      '"os_version": ">=0.6.0"',
      'echo early',
    ])
      await expect(settings).toContainText(text);
    await expectAccessible(page);
  });
  // The deployment that was refused.
  expect(complaints.filter((one) => !/\/cvms\/(provision|preflight)/.test(one))).toEqual([]);
  await fake.close();
});

test('a host with AMD SEV-SNP is labeled so in the admin area and where members choose it', async ({
  page,
}) => {
  const complaints = watchConsole(page);
  await signInAs(page, 'admin');
  const { fake, id, name, team } = await addOwnHost(page);
  const place = page.getByLabel('Region or host');
  const notice = main(page).getByRole('note').filter({ hasText: 'AMD SEV-SNP' });

  await test.step('a host with an unknown TEE has no label', async () => {
    await page.goto(`/${team}/deploy`);
    await place.selectOption(`teepod:${id}`);
    await expect(place.locator('option:checked')).not.toContainText('SEV');
    await expect(notice).toBeHidden();
  });

  await test.step('an administrator sets it', async () => {
    await page.goto(`/admin/infra/teepods/${id}/edit`);
    await main(page).getByLabel(/^TEE/).selectOption({ label: 'AMD SEV-SNP' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(main(page).getByRole('heading', { level: 1, name })).toBeVisible();
    await expect(page.getByText('AMD SEV-SNP', { exact: true }).first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a member who chooses it sees that it is not verified here', async () => {
    await page.goto(`/${team}/deploy`);
    await place.selectOption(`teepod:${id}`);
    await expect(place.locator('option:checked')).toContainText(`${name} (AMD SEV-SNP)`);
    await expect(notice).toContainText('never shown as verified');
    await expectAccessible(page);
  });
  expect(complaints).toEqual([]);
  await fake.close();
});
