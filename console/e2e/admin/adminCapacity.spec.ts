import { expect, test, type Page } from '../browser';
import { createAdmin, expectAccessible, signIn, watchConsole } from '../support';

const main = (page: Page) => page.getByRole('main');

async function open(page: Page, path: string): Promise<void> {
  const email = await createAdmin();
  await page.goto(path);
  await signIn(page, email);
  await page.waitForURL(`**${path}`);
}

test('an administrator lets the recycle bin make room, and takes it back', async ({ page }) => {
  const complaints = watchConsole(page);
  await open(page, '/admin/system/settings');
  const allow = page.getByRole('switch', { name: 'Make room for deployments' });
  const save = page.getByRole('button', { name: 'Save changes' });
  await expect(allow).not.toBeChecked();
  await expect(save).toBeDisabled();
  await expectAccessible(page);

  const age = page.getByLabel('Minimum age');
  await age.fill('24');
  await expect(page.getByText('Enter 1 to 23 hours.')).toBeVisible();
  await expect(save).toBeDisabled();
  await age.fill('6');
  await allow.check();
  await save.click();
  await expect(save).toBeDisabled();
  await page.reload();
  await expect(allow).toBeChecked();
  await expect(age).toHaveValue('6');

  await allow.uncheck();
  await age.fill('12');
  await save.click();
  await expect(save).toBeDisabled();
  expect(complaints).toEqual([]);
});

test('an administrator removes a duplicate VM after typing its ID', async ({ page }) => {
  const id = '8d0c4a52-6c1b-4f0e-9a50-2f6f0f8f7a10';
  const row = {
    id: 1,
    host_vm_id: id,
    teepod_id: 1,
    cvm_id: '7c9f2b1e-4f0a-4c53-9d5b-2f6f0f8f7a10',
    cvm_status: 'running',
    team_id: 1,
    status: 'stopped',
    uptime: '3d 4h',
    vcpu: 1,
    memory_mb: 2048,
    disk_gb: 20,
    given_up_at: null,
    first_event_at: null,
    first_seen_at: '2026-11-20T09:00:00Z',
    last_seen_at: '2026-11-21T08:00:00Z',
  };
  let removals = 0;
  await page.route('**/api/v1/admin/duplicate-vms?*', (route) =>
    route.fulfill({ json: [row], headers: { 'Content-Range': 'duplicate-vms 0-0/1' } }),
  );
  await page.route('**/api/v1/admin/duplicate-vms/1', (route) => route.fulfill({ json: row }));
  await page.route('**/api/v1/admin/duplicate-vms/1/remove', (route) => {
    removals += 1;
    return route.fulfill({ json: { ...row, status: 'removing' } });
  });
  await open(page, '/admin/infra/duplicate-vms');
  await expect(main(page).getByText('20 GB')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/admin/infra/duplicate-vms/1');
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  const dialog = page.getByRole('alertdialog');
  const confirm = dialog.getByRole('button', { name: /^Remove/ });
  await expect(confirm).toBeDisabled();
  await dialog.getByRole('textbox').fill(id);
  await confirm.click();
  await expect.poll(() => removals).toBe(1);
});
