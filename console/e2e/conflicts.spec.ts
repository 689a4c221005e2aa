import { expect, test, type Browser, type Page } from './browser';
import { startReceiver } from '../../server/testing/webhookReceiver';
import { withoutStatus, callApi } from './accounts';
import { deployApp, expectAccessible, IMAGE, registerUser, watchConsole } from './support';

/** Two browsers edit the same record: the later save shows what changed instead of overwriting it. */

test.describe.configure({ timeout: 300_000 });
test.use({ actionTimeout: 30_000, navigationTimeout: 60_000 });

const COMPOSE = `services:\n  web:\n    image: ${IMAGE}\n    command: ["sh", "-c", "trap 'exit 0' TERM; sleep 100000 & wait"]\n`;
const STALE = 412;

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const conflict = (page: Page) => region(page, 'Changed while you were editing');
/** What the server says of a stale request, which the page that shows the difference must not repeat. */
const toReload = (page: Page) => page.getByText('reapply your changes', { exact: false });

/** The same account in another browser. */
async function secondBrowser(page: Page, browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    storageState: await page.context().storageState(),
  });
  return context.newPage();
}

test('a team name: shows the diff and keeps either value', async ({ page, browser, baseURL }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'naming');
  const other = await secondBrowser(page, browser, baseURL);
  const path = `/${slug}/members?tab=settings`;
  const rename = async (on: Page, name: string) => {
    await on.getByRole('textbox', { name: 'Team name' }).fill(name);
    await on.getByRole('button', { name: 'Save name' }).click();
  };
  await page.goto(path);
  await page.getByRole('textbox', { name: 'Team name' }).fill('Mine');
  await other.goto(path);
  await rename(other, 'Theirs');
  await expect(other.getByText('Name saved').first()).toBeVisible();

  await page.getByRole('button', { name: 'Save name' }).click();
  const name = conflict(page).getByRole('group', { name: 'Name' });
  await expect(name.getByRole('radio', { name: /Yours/ })).toBeChecked();
  await expect(name).toContainText('Theirs');
  await expect(toReload(page)).toHaveCount(0);
  await expect(page.getByText('Resolve the conflict above first.')).toBeVisible();
  await expectAccessible(page);
  await conflict(page).getByRole('button', { name: 'Discard my changes' }).click();
  await expect(page.getByRole('textbox', { name: 'Team name' })).toHaveValue('Theirs');
  await expect(conflict(page)).toBeHidden();

  await page.getByRole('textbox', { name: 'Team name' }).fill('Mine after all');
  await rename(other, 'Theirs again');
  await expect(other.getByText('Theirs again').first()).toBeVisible();
  await expect(other.getByText('Name saved').first()).toBeVisible();
  await page.getByRole('button', { name: 'Save name' }).click();
  await conflict(page).getByRole('button', { name: 'Use these values' }).click();
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByText('Name saved').first()).toBeVisible();
  expect(await callApi(page, 'get', `/workspaces/${slug}`)).toMatchObject({ name: 'Mine after all' });
  expect(withoutStatus(complaints, STALE)).toEqual([]);
  await other.context().close();
});

test('a webhook: changes to different fields are merged, field by field', async ({
  page,
  browser,
  baseURL,
}) => {
  const receiver = await startReceiver();
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'hooking');
  const { id } = await callApi<{ id: string }>(page, 'post', '/workspace/webhooks', {
    team: slug,
    data: { url: receiver.url, name: 'Before', events: ['cvm.created'] },
  });
  const other = await secondBrowser(page, browser, baseURL);
  const open = async (on: Page) => {
    await on.goto(`/${slug}/members?tab=webhooks&webhook=${id}`);
    await on.getByRole('button', { name: 'More actions' }).click();
    await on.getByRole('menuitem', { name: 'Edit' }).click();
    return on.getByRole('dialog', { name: 'Edit webhook' });
  };
  const mine = await open(page);
  await mine.getByLabel('Name').fill('Mine');
  const theirs = await open(other);
  await theirs.getByRole('checkbox', { name: 'cvm.deleted' }).check();
  await theirs.getByRole('button', { name: 'Save' }).click();
  await expect(theirs).toBeHidden();

  await mine.getByRole('button', { name: 'Save' }).click();
  const events = conflict(page).getByRole('group', { name: 'Events' });
  await expect(events.getByRole('radio', { name: /Current/ })).toBeChecked();
  await expect(events).toContainText('cvm.created, cvm.deleted');
  await expect(toReload(page)).toHaveCount(0);
  await expectAccessible(page);
  await conflict(page).getByRole('button', { name: 'Use these values' }).click();
  await expect(mine.getByLabel('Name')).toHaveValue('Mine');
  await mine.getByRole('button', { name: 'Save' }).click();
  await expect(mine).toBeHidden();
  expect(await callApi(page, 'get', `/workspace/webhooks/${id}`, { team: slug })).toMatchObject({
    name: 'Mine',
    events: ['cvm.created', 'cvm.deleted'],
  });
  expect(withoutStatus(complaints, STALE)).toEqual([]);
  await other.context().close();
  await receiver.close();
});

test('an API token: a rename does not overwrite another', async ({ page, browser, baseURL }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'tokening');
  await callApi(page, 'post', `/workspaces/${slug}/tokens`, { data: { name: 'CI', scopes: ['cvms:*'] } });
  const other = await secondBrowser(page, browser, baseURL);
  const open = async (on: Page) => {
    await on.goto(`/${slug}/tokens`);
    await on.getByRole('button', { name: /Actions/ }).click();
    await on.getByRole('menuitem', { name: 'Rename' }).click();
    return on.getByRole('dialog', { name: 'Rename token' });
  };
  const mine = await open(page);
  await mine.getByRole('textbox', { name: 'Name' }).fill('Mine');
  const theirs = await open(other);
  await theirs.getByRole('textbox', { name: 'Name' }).fill('Theirs');
  await theirs.getByRole('button', { name: 'Rename' }).click();
  await expect(theirs).toBeHidden();

  await mine.getByRole('button', { name: 'Rename' }).click();
  await expect(conflict(page).getByRole('group', { name: 'Name' })).toContainText('Theirs');
  await expectAccessible(page);
  await conflict(page)
    .getByRole('radio', { name: /Current/ })
    .check();
  await conflict(page).getByRole('button', { name: 'Use these values' }).click();
  await expect(mine.getByRole('textbox', { name: 'Name' })).toHaveValue('Theirs');
  await mine.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Theirs', { exact: true }).first()).toBeVisible();
  expect(withoutStatus(complaints, STALE)).toEqual([]);
  await other.context().close();
});

test('single sign-on: saving the provider does not revert role changes', async ({
  page,
  browser,
  baseURL,
}) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'signing');
  const connection = {
    issuer: 'http://127.0.0.1:9',
    client_id: 'before',
    domain: `${slug}.example.org`,
    enforced: false,
    default_role: 'viewer',
    role_claim: null,
    role_rules: [],
  };
  await callApi(page, 'put', `/workspaces/${slug}/sso`, { data: connection });
  const other = await secondBrowser(page, browser, baseURL);
  await page.goto(`/${slug}/members?tab=security`);
  const provider = page.getByRole('form', { name: 'Sign-in provider' });
  await provider.getByLabel('Client ID').fill('mine');
  await other.goto(`/${slug}/members?tab=security`);
  const roles = other.getByRole('form', { name: 'Roles from the provider' });
  await roles.getByLabel('Default role').selectOption('member');
  await roles.getByRole('button', { name: 'Save roles' }).click();
  await expect(other.getByText('Roles saved').first()).toBeVisible();

  await provider.getByRole('button', { name: 'Save provider' }).click();
  await expect(conflict(page).getByRole('group', { name: 'Default role' })).toContainText('member');
  await expectAccessible(page);
  await conflict(page).getByRole('button', { name: 'Use these values' }).click();
  await provider.getByRole('button', { name: 'Save provider' }).click();
  await expect(page.getByText('Provider saved').first()).toBeVisible();
  expect(await callApi(page, 'get', `/workspaces/${slug}/sso`)).toMatchObject({
    connection: { client_id: 'mine', default_role: 'member' },
  });
  expect(withoutStatus(complaints, STALE)).toEqual([]);
  await other.context().close();
});

test('a CVM: name and size change while a form is open', async ({ page, browser, baseURL }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'sizing');
  const path = await deployApp(page, slug, { name: 'shared-app', compose: COMPOSE });
  const uuid = path.split('/').at(-1) ?? '';
  const cvm = () => callApi<Record<string, unknown>>(page, 'get', `/cvms/${uuid}`, { team: slug });
  const other = await secondBrowser(page, browser, baseURL);
  const rename = async (on: Page, name: string) => {
    await on.goto(`${path}/settings`);
    await region(on, 'Name').getByRole('button', { name: 'Rename…' }).click();
    const dialog = on.getByRole('dialog', { name: /^Rename/ });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    return dialog;
  };

  await test.step('the later rename shows both names', async () => {
    const mine = await rename(page, 'mine-app');
    const theirs = await rename(other, 'theirs-app');
    await theirs.getByRole('button', { name: 'Rename' }).click();
    await expect(theirs).toBeHidden();
    await expect(mine.getByRole('textbox', { name: 'Name' })).toHaveValue('mine-app');
    await mine.getByRole('button', { name: 'Rename' }).click();
    await expect(conflict(page).getByRole('group', { name: 'Name' })).toContainText('theirs-app');
    await expect(toReload(page)).toHaveCount(0);
    await expectAccessible(page);
    await conflict(page).getByRole('button', { name: 'Use these values' }).click();
    await mine.getByRole('button', { name: 'Rename' }).click();
    await expect(mine).toBeHidden();
    expect(await cvm()).toMatchObject({ name: 'mine-app' });
  });

  await test.step('a conflicting size change must be resolved; a rename in between is not a conflict', async () => {
    const size = region(page, 'Size');
    await size.getByRole('radio', { name: /tdx.medium/ }).check();
    await callApi(page, 'patch', `/cvms/${uuid}/name`, { team: slug, data: { name: 'renamed-app' } });
    await callApi(page, 'patch', `/cvms/${uuid}/resources`, {
      team: slug,
      data: { instance_type: 'tdx.large', allow_restart: true },
    });
    await expect.poll(async () => (await cvm()).in_progress, { timeout: 90_000 }).toBe(false);
    await expect.poll(async () => (await cvm()).instance_type).toBe('tdx.large');
    await expect(size.getByRole('radio', { name: /tdx.medium/ })).toBeChecked();
    await size.getByRole('button', { name: 'Resize…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resize', exact: true }).click();
    const sizes = conflict(page).getByRole('group', { name: 'Size', exact: true });
    await expect(sizes).toContainText('tdx.large');
    await expect(toReload(page)).toHaveCount(0);
    await expectAccessible(page);
    await conflict(page).getByRole('button', { name: 'Discard my changes' }).click();
    await expect(size.getByRole('radio', { name: /tdx.large/ })).toBeChecked();
    expect((await cvm()).instance_type).toBe('tdx.large');
  });
  expect(withoutStatus(complaints, STALE)).toEqual([]);
  await other.context().close();
});
