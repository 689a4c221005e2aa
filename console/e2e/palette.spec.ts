import { expect, test, type Page } from './browser';
import { openAdminAs, signInAs } from './staff';
import { expectAccessible, registerUser, watchConsole } from './support';

/** The command palette outside teams: on account pages and in the admin area. */

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' });
async function go(page: Page, text: string, option: string | RegExp): Promise<void> {
  // The shortcut works once the page has loaded.
  await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill(text);
  await expect(palette(page).getByRole('option', { name: option }).first()).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await page.keyboard.press('Enter');
  await expect(palette(page)).toBeHidden();
}

test('the palette works in account pages', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'palette');
  await page.goto('/account/settings');
  await expect(page.getByRole('button', { name: 'Search' })).toBeVisible();
  await go(page, 'unlink', 'Single sign-on');
  await expect(page).toHaveURL(/\/account\/settings\?.*sso/);
  await go(page, 'ssh', 'SSH keys');
  await expect(page).toHaveURL(/\/account\/settings\?.*ssh-keys/);
  await page.keyboard.press('/');
  await expectAccessible(page);
  await palette(page).getByRole('combobox').fill(slug);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/${slug}$`));
  expect(complaints).toEqual([]);
});

test('the palette shows that it is searching until the server answers', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'searching');
  await page.goto(`/${slug}`);
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/api\/v1\/apps\?.*search=zzqq/, async (route) => {
    await asked;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await palette(page).getByRole('combobox').fill('zzqq');
  await expect(palette(page).getByRole('paragraph').filter({ hasText: 'Searching…' })).toBeVisible();
  await expect(palette(page).getByRole('status')).toHaveText('Searching…');
  await expect(palette(page).getByText('Nothing found')).toHaveCount(0);
  answer();
  await expect(palette(page).getByText(/^Nothing found for “zzqq”/)).toBeVisible();
  await expect(palette(page).getByRole('status')).toHaveText('0 results');
  expect(complaints).toEqual([]);
});

test('the palette lists only the admin pages the role allows', async ({ page, browser }) => {
  const complaints = watchConsole(page);
  await signInAs(page, 'admin');
  await page.goto('/admin');
  await go(page, 'teepods', /^Teepods/);
  await expect(page).toHaveURL(/\/admin\/infra\/teepods$/);
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expectAccessible(page);
  await palette(page).getByRole('combobox').fill('add node');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/admin\/infra\/nodes\/create$/);
  expect(complaints).toEqual([]);
  const theirs = await (await browser.newContext()).newPage();
  await signInAs(theirs, 'finance');
  await theirs.goto('/admin');
  await theirs.getByRole('button', { name: 'Search', exact: true }).click();
  await palette(theirs).getByRole('combobox').fill('teepods');
  await expect(palette(theirs).getByRole('option', { name: /^Teepods/ })).toHaveCount(0);
  await theirs.context().close();
});

test('the admin overview shows queues and open alerts', async ({ page }) => {
  const complaints = watchConsole(page);
  await signInAs(page, 'infra');
  await page.goto('/admin');
  const queues = page.getByRole('region', { name: 'Queues' });
  // Queues with work or failures are listed; the others are only counted.
  const idle = queues.getByRole('link', { name: /^(All \d+|\d+ other) queues? (are|is) idle$/ });
  await expect(idle).toBeVisible();
  await expect(page.getByRole('region', { name: 'Open alerts' })).toContainText(
    /No open alerts\.|acknowledged/i,
  );
  await expectAccessible(page);
  await idle.click();
  await expect(page).toHaveURL(/\/admin\/system\/queue-workers$/);
  expect(complaints).toEqual([]);
});

test('the admin palette finds users, teams and hosts, and the menu opens below its parent', async ({
  page,
  browser,
}) => {
  const complaints = watchConsole(page);
  const other = await (await browser.newContext()).newPage();
  const { slug } = await registerUser(other, 'findme');
  await other.context().close();
  await openAdminAs(page, 'admin');
  await go(page, slug, new RegExp(`Teams · ${slug}|${slug}`));
  await expect(page).toHaveURL(/\/admin\/(workspaces|users)\/\d+$/);
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').fill('local');
  await expect(
    palette(page)
      .getByRole('option', { name: /Teepods · / })
      .first(),
  ).toBeVisible();
  await expect(palette(page).getByRole('option', { name: /Nodes/ }).first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  const menu = page.getByRole('navigation', { name: 'Sections' });
  await expect(menu.getByRole('link', { name: 'Drain CVMs' })).toHaveCount(0);
  await menu.getByRole('link', { name: 'Drains', exact: true }).click();
  await menu.getByRole('link', { name: 'Drain CVMs' }).click();
  await expect(page).toHaveURL(/\/admin\/infra\/drain-cvms/);
  await expect(menu.getByRole('link', { name: 'Drain CVMs' })).toHaveAttribute('aria-current', 'page');
  expect(complaints).toEqual([]);
});
