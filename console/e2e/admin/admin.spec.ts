import { expect, test, type Locator, type Page } from '../browser';
import { signInAs } from '../staff';
import { createAdmin, expectAccessible, PASSWORD, registerInBrowser, signIn, watchConsole } from '../support';

const unique = () => Math.random().toString(36).slice(2, 8);

// Exact, because the previous page may have a longer one: the teepod "local-teepod" is on the node "local".
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('heading', { level: 1, name, exact: typeof name === 'string' });
const field = (page: Page, label: RegExp): Locator => page.getByRole('main').getByLabel(label);

async function openAsAdmin(page: Page, path: string): Promise<void> {
  await signInAs(page, 'admin');
  await page.goto(path);
}

/** Expects the same page after a reload. */
async function survivesReload(page: Page, path: string | RegExp, name: string | RegExp): Promise<void> {
  await expect(page).toHaveURL(path);
  await page.reload();
  await expect(heading(page, name)).toBeVisible();
  await expect(page).toHaveURL(path);
}

async function openDelete(page: Page): Promise<Locator> {
  await page
    .getByRole('region', { name: 'Danger zone' })
    .getByRole('button', { name: /^Delete/ })
    .click();
  return page.getByRole('alertdialog');
}

test('an administrator manages nodes', async ({ page }) => {
  const complaints = watchConsole(page);
  const name = `rack-${unique()}`;

  await test.step('sign in', async () => {
    const email = await createAdmin();
    await page.goto('/admin/infra/nodes');
    await page.waitForURL(`**/login?next=${encodeURIComponent('/admin/infra/nodes')}`);
    await signIn(page, email);
    await page.waitForURL('**/admin/infra/nodes');
  });

  await test.step('list', async () => {
    await survivesReload(page, '/admin/infra/nodes', 'Nodes');
    await expect(page.getByRole('table', { name: 'Nodes' }).getByRole('row').nth(1)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('an invalid input shows an error and adds nothing', async () => {
    await page.getByRole('main').getByRole('link', { name: /^Add/ }).click();
    await survivesReload(page, '/admin/infra/nodes/create', 'Add node');
    await expectAccessible(page);
    await field(page, /^Name/).fill('no spaces allowed');
    await page.getByRole('button', { name: 'Add node' }).click();
    await expect(field(page, /^Name/)).toHaveAttribute('aria-invalid', 'true');
    await expect(field(page, /^Name/)).toBeFocused();
    await expectAccessible(page);
  });

  await test.step('add', async () => {
    await field(page, /^Name/).fill(name);
    await field(page, /^Region/).fill('eu-test');
    await page.getByRole('button', { name: 'Add node' }).click();
    await expect(heading(page, name)).toBeVisible();
    await survivesReload(page, /\/admin\/infra\/nodes\/\d+$/, name);
    await expect(page.getByText('eu-test', { exact: true })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('edit', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Edit' }).click();
    await survivesReload(page, /\/admin\/infra\/nodes\/\d+\/edit$/, `Edit ${name}`);
    await expectAccessible(page);
    await field(page, /^Region/).fill('eu-moved');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page).toHaveURL(/\/admin\/infra\/nodes\/\d+$/);
    await expect(page.getByText('eu-moved', { exact: true })).toBeVisible();
    await page.reload();
    await expect(page.getByText('eu-moved', { exact: true })).toBeVisible();
  });

  await test.step('delete, by typing its name', async () => {
    const dialog = await openDelete(page);
    await expect(dialog.getByRole('button', { name: 'Delete node' })).toBeDisabled();
    await expectAccessible(page);
    await dialog.getByRole('textbox').fill(name);
    await dialog.getByRole('button', { name: 'Delete node' }).click();
    await expect(page).toHaveURL('/admin/infra/nodes');
    await expect(heading(page, 'Nodes')).toBeVisible();
    await expect(page.getByRole('main')).toBeFocused();
    await expect(page.getByRole('table', { name: 'Nodes' })).not.toContainText(name);
  });

  expect(complaints).toEqual([]);
});

test('refuses to delete a node in use and says why', async ({ page }) => {
  const complaints = watchConsole(page);
  await openAsAdmin(page, '/admin/infra/teepods');
  await page.getByRole('table', { name: 'Teepods' }).getByRole('link', { name: 'local-teepod' }).click();
  await survivesReload(page, /\/admin\/infra\/teepods\/\d+$/, 'local-teepod');
  await expectAccessible(page);

  // The link to its node.
  const node = page.getByRole('main').locator('a[href^="/admin/infra/nodes/"]').first();
  const name = await node.innerText();
  await node.click();
  await expect(page).toHaveURL(/\/admin\/infra\/nodes\/\d+$/);
  await expect(heading(page, name)).toBeVisible();
  const address = page.url();
  const dialog = await openDelete(page);
  await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: 'Delete node' }).click();
  // Another test may have added a teepod to this node.
  await expect(dialog.getByText(new RegExp(`^${name} runs .*local-teepod`))).toBeVisible();
  await expect(dialog.getByText(/move (it|them) to another node first/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.goto(address);
  await expect(heading(page, name)).toBeVisible();

  // The browser logs only the refusal (409).
  expect(complaints).toEqual([expect.stringMatching(/status of 409/)]);
});

test('keeps an open dialog if refetching its record fails', async ({ page }) => {
  await openAsAdmin(page, '/admin/infra/nodes');
  await page.getByRole('table', { name: 'Nodes' }).getByRole('link').first().click();
  const dialog = await openDelete(page);
  await dialog.getByRole('textbox').fill('half a na');
  const record = '**/api/v1/admin/nodes/*';
  await page.route(record, (route) => route.fulfill({ status: 500, json: { message: 'Out of order.' } }));
  // Simulates a user who returns from another tab.
  await page.clock.install();
  await page.clock.fastForward('01:00');
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
  await expect(page.getByText('Couldn’t refresh this node')).toBeVisible();
  await expect(dialog.getByRole('textbox')).toHaveValue('half a na');
});

test('reports on a record’s form and lists that a refetch failed', async ({ page }) => {
  const record = '**/api/v1/admin/instance-types/*';
  await openAsAdmin(page, '/admin/instance-types');
  // The page shows the list's row first. Its own data must be older than the clock set below, or it counts as fresh.
  const loaded = page.waitForResponse(record).then((response) => response.finished());
  await page.getByRole('table', { name: 'Instance types' }).getByRole('link').first().click();
  const tab = page.getByRole('navigation', { name: /pages$/ }).getByRole('link', { name: /^CVMs/ });
  await expect(tab).toBeVisible();
  await loaded;
  // Fails until the user retries, even if the page refetches on its own before.
  await page.evaluate(() =>
    document.addEventListener(
      'click',
      ({ target }) => {
        if (target instanceof Element && target.closest('button')?.textContent === 'Try again')
          document.body.dataset.triedAgain = 'true';
      },
      true,
    ),
  );
  await page.route(record, async (route) => {
    if (await page.evaluate(() => document.body.dataset.triedAgain === 'true')) await route.fallback();
    else await route.fulfill({ status: 500, json: { message: 'Out of order.' } });
  });
  // Data counts as fresh for a few seconds.
  await page.clock.install();
  await page.clock.fastForward('01:00');
  await page.getByRole('main').getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(heading(page, /^Edit /)).toBeVisible();
  await expect(page.getByText('Couldn’t refresh this instance type')).toBeVisible();
  await page.goBack();
  await tab.click();
  await expect(page.getByText('Couldn’t refresh this instance type')).toBeVisible();
  await expect(heading(page, 'CVMs')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Couldn’t refresh this instance type')).toHaveCount(0);
});

test('an administrator manages instance types', async ({ page }) => {
  const complaints = watchConsole(page);
  const id = `test.${unique()}`;
  await openAsAdmin(page, '/admin/instance-types');
  await survivesReload(page, '/admin/instance-types', 'Instance types');
  await expect(page.getByRole('table', { name: 'Instance types' })).toContainText('tdx.small');
  await expectAccessible(page);

  const fill = async () => {
    await field(page, /^ID/).fill(id);
    await field(page, /^Family/).selectOption('cpu');
    await field(page, /^Name/).fill('Test size');
    await field(page, /^vCPU/).fill('3');
    await field(page, /^Memory/).fill('3');
    await expect(field(page, /^Unit of memory/)).toHaveValue('1');
    await field(page, /^Default disk size/).fill('30');
    await field(page, /^Hourly rate/).fill('0.123');
  };

  await test.step('add', async () => {
    await page.getByRole('main').getByRole('link', { name: /^Add/ }).click();
    await expect(page).toHaveURL('/admin/instance-types/create');
    await fill();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add instance type' }).click();
    await survivesReload(page, `/admin/instance-types/${id}`, id);
    await expect(page.getByRole('main').getByText('3 GB', { exact: true })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a server-side error appears at its input', async () => {
    await page.goto(`/admin/instance-types/${id}/edit`);
    await survivesReload(page, `/admin/instance-types/${id}/edit`, `Edit ${id}`);
    // Simulates a newer server with stricter rules than the page.
    await page.route('**/api/v1/admin/instance-types/**', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      await route.continue({
        postData: JSON.stringify({
          ...route.request().postDataJSON(),
          vcpu: 0,
        }),
      });
    });
    await field(page, /^vCPU/).fill('4');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(field(page, /^vCPU/)).toHaveAttribute('aria-invalid', 'true');
    await expect(field(page, /^vCPU/)).toBeFocused();
    await expect(field(page, /^Name/)).not.toHaveAttribute('aria-invalid', 'true');
    await expectAccessible(page);
    await page.unroute('**/api/v1/admin/instance-types/**');
  });

  await test.step('the error is shown once, and disappears when the value changes', async () => {
    await expect(page.getByText(`Couldn’t save ${id}`)).toHaveCount(0);
    await field(page, /^vCPU/).fill('5');
    await expect(field(page, /^vCPU/)).not.toHaveAttribute('aria-invalid', 'true');
  });

  await test.step('edit', async () => {
    await field(page, /^vCPU/).fill('4');
    await field(page, /^Hourly rate/).fill('0.125');
    await page.getByRole('button', { name: 'Save' }).click();
    await survivesReload(page, `/admin/instance-types/${id}`, id);
    await expect(page.getByRole('main').getByText('$0.125', { exact: false })).toBeVisible();
  });

  await test.step('delete', async () => {
    const dialog = await openDelete(page);
    await dialog.getByRole('textbox').fill(id);
    await dialog.getByRole('button', { name: 'Delete instance type' }).click();
    await expect(page).toHaveURL('/admin/instance-types');
    await page.goto(`/admin/instance-types/${id}`);
    await expect(heading(page, 'Page not found')).toBeVisible();
  });

  await test.step('sign out ends the session', async () => {
    await page.getByRole('button', { name: /^Account:/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/login');
    expect((await page.request.get('/api/v1/admin/nodes')).status()).toBe(401);
  });

  // The browser logs the two refusals.
  expect(complaints.filter((text) => !/status of (422|404)/.test(text))).toEqual([]);
});

test('the admin area is for administrators only', async ({ page, browser, baseURL }) => {
  const complaints = watchConsole(page);
  // A server's first account is its administrator; this makes sure that the account below isn't the first.
  await createAdmin();
  const { email } = await registerInBrowser(page, 'plain');
  await expect(
    page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Admin' }),
  ).toBeHidden();
  for (const path of ['/admin', '/admin/infra/nodes']) {
    await page.goto(path);
    await expect(heading(page, /^The admin area is for/)).toBeVisible();
    await expect(page.getByText(email, { exact: false })).toBeVisible();
    await expectAccessible(page);
  }
  const refused = await page.request.get('/api/v1/admin/nodes');
  expect(refused.status()).toBe(403);

  await test.step('a signed-out visitor signs in and returns', async () => {
    const visitor = await browser.newContext({ baseURL });
    const other = await visitor.newPage();
    await other.goto('/admin/infra/teepods?page=1');
    await other.waitForURL(`**/login?next=${encodeURIComponent('/admin/infra/teepods?page=1')}`);
    await other.getByLabel('Email address').fill(email);
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.waitForURL('**/admin/infra/teepods?page=1');
    await visitor.close();
  });
  expect(complaints).toEqual([]);
});

test('a session that ends while the admin area is open is announced at sign-in', async ({ page }) => {
  await openAsAdmin(page, '/admin/infra/nodes');
  await expect(heading(page, 'Nodes')).toBeVisible();
  await page.waitForLoadState('networkidle');
  // Ends the session as another browser would, without this page's knowledge.
  await page.request.delete('/api/v1/auth/session', { headers: { Origin: new URL(page.url()).origin } });
  // The page may notice before the click.
  const left = page.waitForURL('**/login?next=**');
  const link = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Teepods' });
  await Promise.race([left, link.click()]);
  await left;
  await expect(page.getByText('Your session ended')).toBeVisible();
  expect(new URL(page.url()).searchParams.get('next')).toMatch(/^\/admin\/infra\/(nodes|teepods)/);
  await expectAccessible(page);
});

test('two administrators who edit the same node do not overwrite each other', async ({
  page,
  browser,
  baseURL,
}) => {
  const name = `rack-${unique()}`;
  await openAsAdmin(page, '/admin/infra/nodes/create');
  await field(page, /^Name/).fill(name);
  await page.getByRole('button', { name: 'Add node' }).click();
  await expect(heading(page, name)).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/infra\/nodes\/\d+$/);
  const { pathname } = new URL(page.url());
  await page.goto(`${pathname}/edit`);
  await field(page, /^Region/).fill('mine');

  const context = await browser.newContext({ baseURL });
  const other = await context.newPage();
  await openAsAdmin(other, `${pathname}/edit`);
  await field(other, /^Notes/).fill('written by the other');
  await other.getByRole('button', { name: 'Save' }).click();
  await expect(other).toHaveURL(pathname);
  await context.close();

  await page.getByRole('button', { name: 'Save' }).click();
  const notes = page.getByRole('group', { name: 'Notes' });
  await expect(notes.getByRole('radio', { name: /Current/ })).toBeChecked();
  await expect(notes).toContainText('written by the other');
  await expect(page.getByText('make your change again', { exact: false })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use these values' }).click();
  await expect(field(page, /^Notes/)).toHaveValue('written by the other');
  await expect(field(page, /^Region/)).toHaveValue('mine');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(pathname);
  await expect(page.getByText('written by the other')).toBeVisible();
  await expect(page.getByText('mine', { exact: true })).toBeVisible();
});
