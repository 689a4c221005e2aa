import { expect, test, type Page } from '../browser';
import { signInAs } from '../staff';
import {
  deployApp,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  registerUser,
  watchConsole,
} from '../support';
import { openAside } from '../walk';

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: ["httpd", "-f", "-p", "8080"]
`;

/** Opens a user's page by email address. */
async function openPerson(page: Page, email: string): Promise<void> {
  await page.goto(`/admin/users?filter=${encodeURIComponent(JSON.stringify({ email }))}`);
  const list = page.getByRole('table', { name: 'Users' });
  await list.getByRole('link').first().click();
  // The list stays visible until the user's page has loaded.
  await expect(list).toBeHidden();
  await expect(page.getByRole('main').getByText(email)).toBeVisible();
}

test('staff view a CVM as staff and as its owner, then suspend the owner', async ({ page, browser }) => {
  const complaints = watchConsole(page);
  const theirs = await (await browser.newContext()).newPage();
  const { email, slug } = await registerUser(theirs, 'watched');
  const path = await deployApp(theirs, slug, { name: 'looked-into', compose: COMPOSE });
  await theirs.goto(path);
  const uuid = path.split('/').at(-1) ?? '';
  const admin = await signInAs(page, 'admin');

  await test.step('another team’s CVM opens inside the admin area', async () => {
    await page.goto(`/admin/cvms/${uuid}/logs`);
    await expect(page.getByRole('heading', { level: 1, name: 'looked-into' })).toBeVisible();
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
    for (const step of ['Admin', 'CVMs', 'looked-into', 'Logs']) await expect(crumbs).toContainText(step);
    await expect(page.getByRole('navigation').getByRole('link', { name: 'Teepods' })).toBeVisible();
    await openAside(page);
    await expect(page.getByRole('complementary')).toContainText(slug);
    await expectAccessible(page);
    const tabs = page.getByRole('navigation', { name: 'looked-into pages' });
    await tabs.getByRole('link', { name: 'Settings' }).click();
    await expect(page).toHaveURL(`/admin/cvms/${uuid}/settings`);
    // Staff may stop a user's CVMs, but not deploy to their team.
    await expect(page.getByRole('button', { name: 'Rename…' })).toHaveAttribute('aria-disabled', 'true');
    await expect(page.getByRole('button', { name: 'Stop', exact: true }).first()).toBeEnabled();
  });

  await test.step('the console viewed as that user is read-only', async () => {
    await openPerson(page, email);
    await page.getByRole('button', { name: /^View as/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Reason/).fill('Ticket 4711');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'View as' }).click();
    const banner = page.getByRole('region', { name: 'Announcements' });
    await expect(banner).toContainText(email);
    await expect(banner).toContainText('Ticket 4711');
    await expect(page).toHaveURL(`/${slug}`);
    await expectAccessible(page);
    // The last of the page's requests: it would fail for the administrator, who isn't in the team.
    const complete = page.waitForResponse(/\/template$/);
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await complete;
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await expect(page).toHaveURL('/admin/users');
  });

  await test.step('suspending a user ends their sessions immediately', async () => {
    await openPerson(page, email);
    await page.getByRole('button', { name: /^Suspend/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Reason/).fill('Mines coins');
    await dialog.getByLabel(/^Type “.*” to confirm$/).fill(email.split('@')[0] ?? '');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await expect(page.getByRole('button', { name: /^Reactivate/ })).toBeVisible();
    await expect(theirs).toHaveURL(/\/login/);
    await expectAccessible(page);
  });

  await test.step('the audit log records each action', async () => {
    const table = page.getByRole('table');
    // Other tests write entries, too.
    const open = (filter: object) =>
      page.goto(`/admin/system/audit?filter=${encodeURIComponent(JSON.stringify(filter))}`);
    for (const action of ['user.view_as', 'cvm.read']) {
      await open({ action });
      await expect(table.getByText(action, { exact: true }).first()).toBeVisible();
    }
    await open({ action: 'user.suspend', actor: admin.split('@')[0] });
    // The target's name, which links to its record.
    const target = table.getByRole('link', { name: email.split('@')[0] ?? '', exact: true }).first();
    await expect(target).toHaveAttribute('href', /^\/admin\/users\/\d+$/);
    await table.getByRole('link', { name: 'user.suspend' }).first().click();
    await expect(page.getByText('Mines coins')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a record’s tabs stay on one line, and a menu has those that don’t fit', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openPerson(page, email);
    const tabs = page.getByRole('navigation', { name: `${email.split('@')[0]} pages` });
    const more = tabs.getByRole('button', { name: 'More' });
    const isOneLine = () => expect.poll(async () => (await tabs.boundingBox())?.height).toBeLessThan(40);
    await expect(tabs.getByRole('link', { name: 'Overview' })).toHaveAttribute('aria-current', 'page');
    await expect(more).toBeVisible();
    await isOneLine();
    await more.focus();
    await page.keyboard.press('Enter');
    const last = page.getByRole('menuitem').last();
    const label = await last.innerText();
    await expectAccessible(page, '[role="menu"]');
    await page.keyboard.press('Escape');
    await expect(more).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await expect(last).toBeFocused();
    await page.keyboard.press('Enter');
    // The current tab is on the line, replacing others.
    const current = tabs.getByRole('link', { name: new RegExp(`^${label}`) });
    await expect(current).toHaveAttribute('aria-current', 'page');
    await expect(more).toBeVisible();
    await isOneLine();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(tabs.getByRole('button', { name: label })).toBeVisible();
    await expect(more).toBeHidden();
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 720 });
  });
  expect(complaints).toEqual([]);
});
