import { expect, test, type Page } from '../browser';
import { startFakeVmm } from '../../../server/drivers/vmm/fake';
import { signInAs } from '../staff';
import { callApi, expectAccessible, onDatabase, watchConsole } from '../support';
import { addOwnHost, deployOn, makeOwn, readCvm } from './ownHost';

const unique = () => Math.random().toString(36).slice(2, 8);
const main = (page: Page) => page.getByRole('main');

/** Maximum pixels that the fields below the affected CVMs may move once those have loaded. */
const MAX_MOVE = 40;

/**
 * Opens and closes the current host's drain form. Its table must not move while loading, and must fit the dialog.
 */
async function expectSteadyDrainForm(page: Page, width: number) {
  const before = page.viewportSize()!;
  await page.setViewportSize({ width, height: 800 });
  // After a reload, the page knows the number of CVMs but has no plan yet.
  await page.reload();
  let answer = () => {};
  const isHeld = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/drain-plan', async (route) => {
    await isHeld;
    await route.continue();
  });
  await main(page)
    .getByRole('button', { name: /^Drain/ })
    .click();
  const dialog = page.getByRole('dialog', { name: /^Drain/ });
  const affected = dialog.getByRole('region', { name: 'Affected CVMs' });
  await expect(affected.getByRole('status')).toHaveText('Loading CVMs…');
  const height = async () => (await affected.boundingBox())?.height ?? 0;
  const loading = await height();
  answer();
  await expect(affected.getByRole('combobox').first()).toBeVisible();
  expect(Math.abs((await height()) - loading), `moved at ${width} px`).toBeLessThanOrEqual(MAX_MOVE);
  for (const one of [dialog, affected.getByRole('group', { name: 'CVMs' })])
    expect(
      await one.evaluate((element) => element.scrollWidth - element.clientWidth),
      `wider than its frame at ${width} px`,
    ).toBe(0);
  const box = (await dialog.boundingBox())!;
  expect(box.y + box.height, `ends in the window at ${width} px, and scrolls`).toBeLessThanOrEqual(800);
  await dialog.getByRole('button', { name: 'Drain', exact: true }).scrollIntoViewIfNeeded();
  await expect(dialog.getByRole('button', { name: 'Drain', exact: true })).toBeInViewport();
  await expectAccessible(page);
  // Playwright scrolls within the dialog; the page behind it stays.
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.unroute('**/drain-plan');
  await page.setViewportSize(before);
}

test('an administrator tests, adds, compares and drains a host', async ({ page }) => {
  const complaints = watchConsole(page);
  const fake = await startFakeVmm({ token: 'e2e-token' });
  const name = `pod-${unique()}`;
  await signInAs(page, 'admin');
  await page.goto('/admin/infra/teepods/create');
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
      ['placement', 'Find out why a CVM can’t be deployed here'],
    ] as const) {
      await page.goto(`${home}/${path}`);
      await expect(main(page).getByText(text).first()).toBeVisible();
      await expectAccessible(page);
    }
    await page.goto(home);
  });

  await test.step('the drain form lists the affected CVMs and what happens to each', async () => {
    const id = Number(new URL(page.url()).pathname.split('/').at(-1));
    const team = await makeOwn(page, id);
    const [web, db] = [`web-${name}`, `db-${name}`];
    const cvms = [await deployOn(page, { id, team }, web), await deployOn(page, { id, team }, db)];
    const movable = { movable: true };
    await callApi(page, 'patch', `/cvms/${cvms[0]}/movable`, { team, data: movable });
    for (const width of [390, 1280]) await expectSteadyDrainForm(page, width);
    await main(page)
      .getByRole('button', { name: /^Drain/ })
      .click();
    const dialog = page.getByRole('dialog', { name: /^Drain/ });
    const affected = dialog.getByRole('region', { name: 'Affected CVMs' });
    await expect(affected.getByRole('status')).toHaveText('2 CVMs: 1 to move, 1 to stop.');
    await expect(
      affected.getByLabel(`Action for ${db}`).getByRole('option', { name: /^Move/ }),
    ).toBeDisabled();
    await affected.getByLabel(`Action for ${web}`).selectOption('Leave running');
    await expect(affected.getByRole('status')).toHaveText(
      '2 CVMs: 1 to stop, 1 to leave running. The drain can’t finish while a CVM keeps running.',
    );
    await expect(dialog.getByText('JSON')).toHaveCount(0);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    for (const cvm of cvms)
      expect(await readCvm(page, team, cvm), 'canceling drains nothing').toMatchObject({ status: 'running' });

    // A drain in progress, on its host's page.
    const home = page.url();
    const plan = { movable: 'stop', others: 'stop', reason: 'Its memory is replaced.' };
    await callApi(page, 'post', `/admin/teepods/${id}/drain`, { data: plan });
    await page.goto(home);
    const drain = main(page).getByRole('region', { name: 'Drain', exact: true });
    await expect(drain).toContainText('0 of 2 CVMs drained: 2 to go.');
    const top = async (name: string) =>
      (await main(page).getByRole('region', { name, exact: true }).boundingBox())?.y ?? 0;
    for (const after of ['Usage', 'Details'])
      expect(await top('Drain'), `above ${after}`).toBeLessThan(await top(after));
    await expectAccessible(page);
    await drain.getByRole('button', { name: 'Cancel drain…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel drain', exact: true }).click();
    await expect(drain).toBeHidden();
    await page.goto('/admin/infra/drains');
    await main(page)
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('link')
      .first()
      .click();
    const progress = main(page).getByRole('region', { name: 'Progress', exact: true });
    await expect(progress).toContainText('0 of 2 CVMs drained: 2 canceled.');
    await page.goto(home);

    for (const cvm of cvms) {
      await callApi(page, 'delete', `/cvms/${cvm}?permanently=true`, { team });
    }
  });

  await test.step('drain an empty host: finishes immediately', async () => {
    await main(page)
      .getByRole('button', { name: /^Drain/ })
      .click();
    const dialog = page.getByRole('dialog', { name: /^Drain/ });
    await expect(dialog.getByText('No CVMs on this teepod.')).toBeVisible();
    await dialog.getByLabel(/^Reason/).fill('Its memory is replaced.');
    await dialog.getByLabel(/^Type “.*” to confirm$/).fill(name);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Drain', exact: true }).click();
    await expect(dialog).toBeHidden();
    await page.goto('/admin/infra/drains');
    await expect(
      main(page)
        .getByRole('row', { name: new RegExp(name) })
        .first(),
    ).toContainText('Succeeded');
    await expectAccessible(page);
  });

  await test.step('the drain’s page composes the message, and shows the server’s for an unknown ID', async () => {
    const teepods = '(select id from teepods where name = $1)';
    // Simulates rows stored by another server version.
    await onDatabase(`update drains set message = 'The server wrote this.' where teepod_id in ${teepods}`, [
      name,
    ]);
    await main(page)
      .getByRole('row', { name: new RegExp(name) })
      .first()
      .getByRole('link')
      .first()
      .click();
    await expect(
      main(page).getByText('Nothing is running on the host anymore: 0 moved, 0 stopped.'),
    ).toBeVisible();
    await onDatabase(
      `update drains set message_keys = '[{"id":"of_a_newer_server","params":{}}]' where teepod_id in ${teepods}`,
      [name],
    );
    await page.reload();
    await expect(main(page).getByText('The server wrote this.')).toBeVisible();
  });

  await test.step('the fleet map shows it', async () => {
    await page.goto('/admin/infra');
    await expect(main(page).getByLabel('Search')).toBeVisible();
    const steps = () => page.evaluate(() => history.length);
    const before = await steps();
    await main(page).getByLabel('Search').fill(name);
    await expect(page).toHaveURL(new RegExp(`q=${name}`));
    expect(await steps(), 'typing adds no history entries').toBe(before);
    await expect(main(page).getByRole('link', { name })).toBeVisible();
    await expectAccessible(page);
  });

  expect(complaints).toEqual([]);
  await fake.close();
});

test('an administrator pulls an image, and deletes one unless a CVM needs it', async ({ page }) => {
  const complaints = watchConsole(page);
  const tag = '0.6.1';
  const registry = [{ tag, local: false, pulling: false, error: '' }];
  await signInAs(page, 'admin');
  const host = await addOwnHost(page, { images: ['dstack-0.6.0', 'dstack-0.5.5'], registry });
  const { fake, id, team } = host;
  const cvm = await deployOn(page, host, `image-${unique()}`);
  await page.goto(`/admin/infra/teepods/${id}/os-images`);
  const stored = main(page).getByRole('region', { name: 'Stored on the host' }).first();
  const actions = (name: string) => stored.getByRole('button', { name: `Actions for ${name}` });
  const remove = page.getByRole('menuitem', { name: /Delete/ });

  await test.step('an image in use is kept, even while its CVM is in the recycle bin', async () => {
    await expect(stored.getByRole('row', { name: /dstack-0\.6\.0/ })).toContainText('1');
    await actions('dstack-0.6.0').click();
    await expect(remove).toBeDisabled();
    await callApi(page, 'delete', `/cvms/${cvm}`, { team });
    await page.reload();
    await actions('dstack-0.6.0').click();
    await expect(remove).toBeDisabled();
    await page.keyboard.press('Escape');
    const answer = await page.request.post(`/api/v1/admin/teepods/${id}/delete-image`, {
      data: { name: 'dstack-0.6.0' },
      headers: { Origin: new URL(page.url()).origin },
    });
    expect(answer.status()).toBe(409);
  });

  await test.step('another image is deleted after typing its name', async () => {
    await actions('dstack-0.5.5').click();
    await remove.click();
    const confirm = page.getByRole('alertdialog', { name: 'Delete dstack-0.5.5?' });
    const deleteImage = confirm.getByRole('button', { name: 'Delete image' });
    await expect(deleteImage).toBeDisabled();
    await expectAccessible(page);
    await confirm.getByLabel(/^Type “.*” to confirm$/).fill('dstack-0.5.5');
    await deleteImage.click();
    await expect(confirm).toBeHidden();
    await expect(actions('dstack-0.5.5')).toHaveCount(0);
    await expect(actions('dstack-0.6.0')).toBeVisible();
    expect(fake.requests.filter((path) => path.startsWith('/prpc/DeleteImage'))).toHaveLength(1);
  });

  await test.step('an image from the registry is pulled, with live progress', async () => {
    await main(page)
      .getByRole('button', { name: `Actions for ${tag}` })
      .click();
    await page.getByRole('menuitem', { name: 'Pull' }).click();
    const row = main(page).getByRole('row', { name: new RegExp(tag.replaceAll('.', '\\.')) });
    await expect(row.getByText('Downloading')).toBeVisible();
    Object.assign(registry[0]!, { pulling: false, error: 'manifest not found' });
    await expect(row.getByText('Failed: manifest not found')).toBeVisible();
    Object.assign(registry[0]!, { local: true, error: '' });
    await expect(row.getByText('On the host')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('its last CVM is purged, and the image can be deleted', async () => {
    await callApi(page, 'delete', `/cvms/recycle-bin/${cvm}`, { team });
    await page.reload();
    await actions('dstack-0.6.0').click();
    await expect(remove).toBeEnabled();
  });
  expect(complaints).toEqual([]);
  await fake.close();
});

test('asks before saving a host whose check fails, then shows it as not responding', async ({ page }) => {
  const fake = await startFakeVmm({ token: 'e2e-token' });
  await fake.close();
  const name = `pod-${unique()}`;
  await signInAs(page, 'admin');
  await page.goto('/admin/infra/teepods/create');
  await main(page).getByLabel(/^Url/i).fill(fake.url);
  await main(page).getByLabel(/^Name/).fill(name);
  const node = main(page).getByRole('combobox', { name: /^Node/ });
  await node.click();
  await node.fill('local');
  await page.getByRole('option', { name: /local/ }).first().click();
  const dialog = page.getByRole('dialog', { name: /even though the check failed/ });
  await page.getByRole('button', { name: 'Add teepod' }).click();
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/teepods\/create$/);
  await page.getByRole('button', { name: 'Add teepod' }).click();
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await expect(main(page).getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(main(page).getByText('Not responding').first()).toBeVisible();

  await test.step('the list shows the observed state, and keeps the cordon visible', async () => {
    await main(page)
      .getByRole('button', { name: /^Cordon/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cordon', exact: true }).click();
    await expect(main(page).getByText('Cordoned', { exact: true }).first()).toBeVisible();
    await page.goto(`/admin/infra/teepods?filter=${encodeURIComponent(JSON.stringify({ name }))}`);
    const row = main(page).getByRole('row', { name: new RegExp(name) });
    await expect(row).toContainText('Not responding');
    await expect(row).toContainText('Cordoned');
    // Its load is visible without opening the aside or choosing columns.
    await expect(row).toContainText(/0 of \d+/);
    await expectAccessible(page);
  });

  await test.step('dangerous actions are separate, with their consequences', async () => {
    await main(page).getByRole('link', { name, exact: true }).click();
    const danger = main(page).getByRole('region', { name: 'Danger zone' });
    await expect(danger.getByRole('button', { name: 'Drain…' })).toBeVisible();
    await expect(danger.getByRole('button', { name: 'Delete…' })).toBeVisible();
    await expect(danger).toContainText('No new CVMs are placed here.');
    await expectAccessible(page);
  });

  await test.step('the overview lists the silent host first', async () => {
    await page.goto('/admin');
    const attention = main(page).getByRole('region', { name: 'Needs attention' });
    await expect(attention.getByRole('link').first()).toBeVisible();
    const all = attention.getByRole('button', { name: /^Show all/ });
    if (await all.isVisible()) await all.click();
    const end = async (name: string) => {
      const frame = main(page).getByRole('region', { name, exact: true }).locator(':scope > :last-child');
      const box = (await frame.boundingBox())!;
      return Math.round(box.y + box.height);
    };
    const before = page.viewportSize()!;
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 1000 });
      for (const [left, right] of [
        ['Fleet', 'Capacity'],
        ['Open alerts', 'Queues'],
      ] as const)
        await expect
          .poll(async () => (await end(left)) - (await end(right)), `${left} ends where ${right} does`)
          .toBe(0);
    }
    await page.setViewportSize(before);
    await attention.getByRole('link', { name: `${name} is unreachable` }).click();
    await expect(main(page).getByRole('heading', { level: 1, name })).toBeVisible();
  });
});
