import { expect, test, type Page } from '../browser';
import { signInAs } from '../staff';
import { callApi } from '../support';

const field = (page: Page, label: RegExp) => page.getByRole('main').getByLabel(label);

/**
 * Opens the form of a new instance type from its page while a refetch of the record is pending, until `arrive` is
 * called.
 */
async function editWhileReading(page: Page) {
  const id = `typed.${Math.random().toString(36).slice(2, 8)}`;
  await signInAs(page, 'admin');
  await callApi(page, 'post', '/admin/instance-types', {
    data: {
      id,
      family: 'cpu',
      name: 'Before',
      description: 'Before',
      vcpu: 1,
      memory_mb: 2048,
      default_disk_size_gb: 20,
      hourly_rate: '0.5',
      // Retired, so that visitors in other tests see no price for it.
      state: 'retired',
    },
  });
  await page.goto(`/admin/instance-types/${id}`);
  await expect(page.getByRole('heading', { level: 1, name: id })).toBeVisible();
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const record = `**/api/v1/admin/instance-types/${id}`;
  await page.route(record, async (route) => {
    if (route.request().method() === 'GET') await arrived;
    await route.continue();
  });
  // Data counts as fresh for a few seconds.
  await page.clock.install();
  await page.clock.fastForward('01:00');
  await page.getByRole('main').getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(field(page, /^Name/)).toHaveValue('Before');
  return {
    id,
    change: (data: object) => callApi(page, 'patch', `/admin/instance-types/${id}`, { data }),
    arrive: async () => {
      const read = page.waitForResponse(record);
      arrive();
      await (await read).finished();
    },
  };
}

test('a refetch keeps typed values and updates the rest', async ({ page }) => {
  const { id, change, arrive } = await editWhileReading(page);
  await field(page, /^Name/).fill('Typed');
  await change({ description: 'By another administrator' });
  await arrive();
  await expect(field(page, /^Description/)).toHaveValue('By another administrator');
  await expect(field(page, /^Name/)).toHaveValue('Typed');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(`/admin/instance-types/${id}`);
  expect(await callApi(page, 'get', `/admin/instance-types/${id}`)).toMatchObject({
    name: 'Typed',
    description: 'By another administrator',
  });
});

test('a typed value that a refetch changed is a conflict on saving', async ({ page }) => {
  const { id, change, arrive } = await editWhileReading(page);
  await field(page, /^Name/).fill('Typed');
  await change({ name: 'By another administrator', description: 'By another administrator' });
  await arrive();
  await expect(field(page, /^Description/)).toHaveValue('By another administrator');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Changed while you were editing' })).toBeVisible();
  await expect(page.getByText('One field changed on both sides. Nothing was saved yet.')).toBeVisible();
  expect(await callApi(page, 'get', `/admin/instance-types/${id}`)).toMatchObject({
    name: 'By another administrator',
  });
});
