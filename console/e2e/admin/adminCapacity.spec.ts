import { expect, test, type Page } from '../browser';
import { signInAs } from '../staff';
import { callApi, expectAccessible, onDatabase, watchConsole } from '../support';
import { addOwnHost, deployOn, readCvm } from './ownHost';

const isCreateVm = (path: string) => path.startsWith('/prpc/CreateVm');
const main = (page: Page) => page.getByRole('main');

async function open(page: Page, path: string): Promise<void> {
  await signInAs(page, 'admin');
  await page.goto(path);
}

test('an administrator lets the recycle bin make room, and reverts it', async ({ page }) => {
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

test('an administrator changes the log level for an hour, and resets it', async ({ page }) => {
  const complaints = watchConsole(page);
  await open(page, '/admin/system/settings');
  const reset = page.getByRole('button', { name: 'Reset now' });
  await expect(main(page).getByText(/\(LOG_LEVEL\)$/)).toBeVisible();
  await page.getByLabel('New level').selectOption('warn');
  await page.getByRole('button', { name: 'Change level' }).click();
  await expect(reset).toBeVisible();
  await expect(main(page).getByText(/^in (60 min|1 h)$/)).toBeVisible();
  await expectAccessible(page);
  await reset.click();
  await expect(reset).toBeHidden();
  await expect(main(page).getByText(/\(LOG_LEVEL\)$/)).toBeVisible();
  expect(complaints).toEqual([]);
});

test('an administrator removes a duplicate VM after typing its ID', async ({ page }) => {
  const complaints = watchConsole(page);
  await open(page, '/admin/infra/duplicate-vms');
  const host = await addOwnHost(page);
  const cvm = await deployOn(page, host, `twice-${host.name}`);
  // Simulates a database restored from a backup.
  const body = host.fake.bodies[host.fake.requests.findLastIndex(isCreateVm)];
  const answer = await fetch(`${host.fake.url}/prpc/CreateVm?json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, disk_size: 33, stopped: true }),
  });
  const { id } = (await answer.json()) as { id: string };

  await test.step('it is listed with the resources it holds', async () => {
    await page.goto(
      `/admin/infra/duplicate-vms?filter=${encodeURIComponent(JSON.stringify({ cvm_id: cvm }))}`,
    );
    await expect(async () => {
      await page.reload();
      await expect(main(page).getByText('33 GB')).toBeVisible({ timeout: 15_000 });
    }).toPass({ timeout: 120_000 });
    await expectAccessible(page);
  });

  await test.step('it is removed, and the VM that the CVM uses stays', async () => {
    await main(page)
      .getByRole('row', { name: new RegExp(`twice-${host.name}`) })
      .getByRole('link')
      .first()
      .click();
    // The list's filter also has a remove button, so wait for the record's page.
    await expect(page.getByRole('heading', { level: 1, name: id })).toBeVisible();
    await page
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    const dialog = page.getByRole('alertdialog');
    const confirm = dialog.getByRole('button', { name: /^Remove/ });
    await expect(confirm).toBeDisabled();
    await dialog.getByRole('textbox').fill(id);
    await confirm.click();
    await expect(dialog).toBeHidden();
    const removed = host.fake.requests.flatMap((path, i) =>
      path.startsWith('/prpc/RemoveVm') ? [host.fake.bodies[i]?.id] : [],
    );
    expect(removed).toEqual([id]);
    expect(await readCvm(page, host.team, cvm)).toMatchObject({ status: 'running' });
  });
  expect(complaints).toEqual([]);
  await host.fake.close();
});

test('the recycle bin makes room for a deployment on a full host', async ({ page }) => {
  const complaints = watchConsole(page);
  await open(page, '/admin/system/settings');
  const host = await addOwnHost(page);
  const { id, team } = host;
  await callApi(page, 'patch', `/admin/teepods/${id}`, { data: { max_cvms: 1 } });
  const old = await deployOn(page, host, `old-${host.name}`);
  await callApi(page, 'delete', `/cvms/${old}`, { team });
  await onDatabase(`update cvms set deleted_at = now() - interval '20 hours' where vm_uuid = $1`, [old]);

  await test.step('the host shows the resources held by the bin', async () => {
    await page.goto(`/admin/infra/teepods/${id}`);
    await expect(main(page).getByText('Recycle bin CVMs')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a deployment is refused, with the bin as the reason', async () => {
    const answer = await page.request.post('/api/v1/cvms/provision', {
      data: {
        name: `new-${host.name}`,
        teepod_id: id,
        compose_file: { docker_compose_file: 'services:\n  web:\n    image: nginx:alpine\n' },
      },
      headers: { Origin: new URL(page.url()).origin, 'X-Workspace': team },
    });
    expect(answer.status()).toBe(400);
    expect(await answer.text()).toContain('recycle bin');
  });

  await test.step('once an administrator allows it, the oldest CVM in the bin is destroyed', async () => {
    await callApi(page, 'patch', '/admin/settings', {
      data: { recycle_bin_gives_way: true, recycle_bin_min_age_hours: 12 },
    });
    try {
      await expect(() => deployOn(page, host, `new-${host.name}`)).toPass({ timeout: 60_000 });
    } finally {
      await callApi(page, 'patch', '/admin/settings', { data: { recycle_bin_gives_way: false } });
    }
    await page.goto(`/${team}`);
    await main(page)
      .getByRole('link', { name: /^Recycle bin/ })
      .click();
    await expect(page.getByText('The recycle bin is empty')).toBeVisible();
  });
  expect(complaints).toEqual([]);
  await host.fake.close();
});
