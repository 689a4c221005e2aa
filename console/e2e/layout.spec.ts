import { forgetSession } from './accounts';
import { expect, test, type Page } from './browser';
import { deployApp, IMAGE, registerUser, watchConsole } from './support';
import { signInAs } from './staff';
import { layoutShift, type LayoutShift } from './walk';

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: sh -c 'while true; do date; sleep 1; done'
`;

/** Withholds these responses until the returned function is called, so that they arrive after the rest of the page. */
async function withhold(page: Page, url: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

test('pages do not shift while they load', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'still');
  const heading = (name: string | RegExp) => () =>
    expect(page.getByRole('main').getByRole('heading', { name }).first()).toBeVisible();

  const measured: Record<string, LayoutShift> = {};
  measured['empty team'] = await layoutShift(page, `/${slug}`, heading(/./));
  const cvm = await deployApp(page, slug, { name: 'still-app', compose: COMPOSE });

  measured['team home'] = await layoutShift(page, `/${slug}`, () =>
    expect(page.getByRole('main').getByRole('link', { name: 'still-app' }).first()).toBeVisible(),
  );
  measured.deploy = await layoutShift(page, `/${slug}/deploy`, () =>
    expect(page.getByRole('textbox', { name: 'docker-compose.yml' })).toBeVisible(),
  );
  for (const tab of ['', '/logs', '/events', '/compose', '/settings'])
    measured[`CVM${tab}`] = await layoutShift(page, `${cvm}${tab}`, heading('still-app'));
  measured.billing = await layoutShift(page, `/setup-billing?team=${slug}`, heading('Billing details'));
  measured.usage = await layoutShift(page, `/usage?team=${slug}`, heading('Apps'));
  await page.setViewportSize({ width: 390, height: 844 });
  measured['CVM 390'] = await layoutShift(page, cvm, () =>
    expect(page.getByRole('main').getByText('CPU load', { exact: false }).first()).toBeVisible(),
  );
  measured['cost 390'] = await layoutShift(page, `/cost?team=${slug}`, () =>
    expect(page.getByRole('main').getByText('No budgets yet')).toBeVisible(),
  );

  measured['GPU TEE 390'] = await layoutShift(page, '/dashboard/gpu-tee', () =>
    expect(page.getByRole('main').getByText('No reservations')).toBeVisible(),
  );

  const showFactors = await withhold(page, '**/account/second-factors*');
  const vaultResponses: string[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('/vault')) vaultResponses.push(response.url());
  });
  measured['security with slow data'] = await layoutShift(
    page,
    '/account/settings?section=security',
    async () => {
      await expect.poll(() => vaultResponses.length).toBe(1);
      showFactors();
      await expect(page.getByRole('heading', { name: 'Passkeys' })).toBeVisible();
    },
  );
  expect(vaultResponses).toHaveLength(1);
  await page.setViewportSize({ width: 1920, height: 1080 });
  const showForecast = await withhold(page, '**/billing/forecast*');
  const showBudgets = await withhold(page, '**/billing/budgets*');
  const top = async () => (await page.getByRole('heading', { name: 'Cost by day' }).boundingBox())?.y ?? NaN;
  let before = NaN;
  measured['cost with slow data'] = await layoutShift(page, `/cost?team=${slug}`, async () => {
    await heading('Cost by day')();
    before = await top();
    showForecast();
    await expect(page.getByText('Likely range').locator('..').getByText('of usage')).toBeVisible();
    showBudgets();
    await expect(page.getByRole('main').getByText('No budgets yet')).toBeVisible();
  });
  expect
    .soft(Math.abs((await top()) - before), 'distance the budgets move what follows them')
    .toBeLessThan(16);

  for (const [name, { sum, moved }] of Object.entries(measured))
    expect.soft(sum, `${name}\n${moved.join('\n')}`).toBeLessThan(0.05);
  expect(complaints).toEqual([]);
});

test('admin pages do not shift while they load', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'even');
  await deployApp(page, slug, { name: 'even-app', compose: COMPOSE });
  await deployApp(page, slug, { name: `even-${'longer-'.repeat(7)}app`, compose: COMPOSE });
  await forgetSession(page);
  await signInAs(page, 'admin');
  const main = page.getByRole('main');
  const measured: Record<string, LayoutShift> = {};
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    measured[`settings ${width}`] = await layoutShift(page, '/admin/system/settings', async () => {
      await expect(main.getByRole('textbox', { name: 'Minimum age' })).toBeEnabled();
      await expect(main.getByRole('combobox', { name: 'New level' })).toBeEnabled();
      await expect(main.getByText('(LOG_LEVEL)')).toBeVisible();
    });
  }
  measured['teams of a host 390'] = await layoutShift(page, '/admin/infra/teepods/1/teams', () =>
    expect(main.getByRole('combobox', { name: 'Team' })).toBeVisible(),
  );
  measured['images of a host 390'] = await layoutShift(page, '/admin/infra/teepods/1/os-images', () =>
    expect(main.getByRole('heading', { name: 'Registry' })).toBeVisible(),
  );
  // Rows show names of other records, which load after them, as do the tools above them.
  for (const list of ['cvms', 'instance-events'])
    measured[`${list} 390`] = await layoutShift(page, `/admin/${list}`, () =>
      expect(main.getByRole('link', { name: 'even-app', exact: true }).first()).toBeVisible(),
    );
  for (const [name, { sum, moved }] of Object.entries(measured))
    expect.soft(sum, `${name}\n${moved.join('\n')}`).toBeLessThan(0.05);
  expect(complaints).toEqual([]);
});
