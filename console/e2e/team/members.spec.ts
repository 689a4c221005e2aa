import { expect, test, type Browser, type Page } from '../browser';
import { addAuthenticator, withoutStatus, callApi, mailedLink } from '../accounts';
import { expectAccessible, expectNoSidewaysScroll, registerUser, watchConsole } from '../support';

test.describe.configure({ timeout: 180_000 });

async function anotherBrowser(browser: Browser, baseURL: string | undefined): Promise<Page> {
  return (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
}

/** Invites through the page; the new member joins with the emailed link. */
async function invite(page: Page, slug: string, email: string, role: string): Promise<string> {
  await page.goto(`/${slug}/members`);
  await page.getByRole('link', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email address').fill(email);
  await dialog.getByRole('radio', { name: new RegExp(`^${role}`) }).check();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row', { name: new RegExp(email) })).toBeVisible();
  return mailedLink(email, 'invitation');
}

async function join(page: Page, link: string, slug: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: /^Join/ }).click();
  await page.waitForURL((url) => url.pathname.startsWith(`/${slug}`));
}

const actionsOf = (page: Page, name: string | RegExp) =>
  page.getByRole('row', { name }).getByRole('button', { name: /^Actions for/ });

test('a member is invited, promoted and removed while both pages are open', async ({
  page,
  browser,
  baseURL,
}) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'inviter');
  const other = await anotherBrowser(browser, baseURL);
  const { email } = await registerUser(other, 'invitee');

  await test.step('rejects a second invitation to the same address', async () => {
    const first = await invite(page, slug, email, 'Viewer');
    expect(first).toContain('/invite/');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expectAccessible(page);
    await dialog.getByLabel('Email address').fill(email);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await expect(dialog.getByLabel('Email address')).toHaveAttribute('aria-invalid', 'true');
    await expect(dialog.getByLabel('Email address')).toHaveValue(email);
    // Escape doesn't discard the address without asking.
    const question = page.getByRole('alertdialog', { name: 'Discard what you entered?' });
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await expect(dialog.getByLabel('Email address')).toHaveValue(email);
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('resending invalidates the earlier link', async () => {
    const before = await mailedLink(email, 'invitation');
    await actionsOf(page, new RegExp(email)).click();
    await page.getByRole('menuitem', { name: 'Resend' }).click();
    await expect(page.getByText(`Invitation resent to ${email}`)).toBeVisible();
    const after = await mailedLink(email, 'invitation');
    expect(after).not.toBe(before);
    await other.goto(before);
    await expect(other.getByText('This invitation is no longer valid')).toBeVisible();
    await join(other, after, slug);
  });

  await test.step('a viewer sees why other tabs are unavailable', async () => {
    await other.goto(`/${slug}/members`);
    await expect(other.getByRole('row', { name: new RegExp(email) }).getByText('Viewer')).toBeVisible();
    await expect(other.getByRole('button', { name: 'Invite', exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    const audit = other
      .getByRole('navigation', { name: 'Team sections' })
      .getByRole('link', { name: 'Audit log' });
    await expect(audit).toHaveAttribute('aria-disabled', 'true');
    await expectAccessible(other);
    await other.goto(`/${slug}/tokens`);
    await expect(other.getByText('You don’t have access to tokens')).toBeVisible();
    await expectAccessible(other);
  });

  await test.step('a promotion unlocks the member’s open page', async () => {
    await other.goto(`/${slug}/tokens`);
    await expect(other.getByRole('button', { name: 'Create token' })).toBeVisible();
    await page.reload();
    const row = page.getByRole('row', { name: new RegExp(email) });
    await row.getByRole('combobox', { name: /^Role of/ }).selectOption('member');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(/Takes effect with their next request/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Make member' }).click();
    await expect(dialog).toBeHidden();
    await expect(row.getByRole('combobox')).toHaveValue('member');
    // The member returns to that window.
    await other.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(other.getByRole('link', { name: 'Create token' }).first()).toBeVisible({
      timeout: 45_000,
    });
  });

  await test.step('removal closes the member’s open page within seconds', async () => {
    await other.goto(`/${slug}`);
    await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
    await actionsOf(page, new RegExp(email)).click();
    await page.getByRole('menuitem', { name: 'Remove from team' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('row', { name: new RegExp(email) })).toHaveCount(0);
    // The keyboard continues at the row that took its place.
    await expect(
      page.getByRole('table', { name: 'members' }).getByRole('button', { name: /^Actions for/ }),
    ).toBeFocused();
    await expect(other.getByRole('heading', { name: 'Page not found' })).toBeVisible({
      timeout: 45_000,
    });
    // The navigation of the user's own team stays.
    await expect(other.getByRole('navigation', { name: 'Sections' })).toBeVisible();
    await expectAccessible(other);
  });
  await other.context().close();
  expect(withoutStatus(complaints, 409)).toEqual([]);
});

test('the permission table matches the server’s and is searchable', async ({ page }) => {
  const { slug } = await registerUser(page, 'reader');
  await page.goto(`/${slug}/members?tab=roles`);
  const row = page.getByRole('row', { name: /Deploy, change and delete CVMs/ });
  await expect(row.getByRole('cell')).toHaveText(['no', 'no', 'yes', 'yes', 'yes', 'cvms:*']);
  await page.getByLabel('Search', { exact: true }).last().fill('two-factor');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  for (const tab of ['', '?tab=roles', '?tab=security', '?tab=audit', '?tab=settings']) {
    await page.goto(`/${slug}/members${tab}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
});

test('requiring a second factor lists the members who lose access first', async ({
  page,
  browser,
  baseURL,
}) => {
  const { slug } = await registerUser(page, 'strict');
  const other = await anotherBrowser(browser, baseURL);
  const { email } = await registerUser(other, 'lax');
  await join(other, await invite(page, slug, email, 'Member'), slug);

  await page.goto(`/${slug}/members?tab=security`);
  const without = page.getByRole('list', { name: 'Members without a second factor' });
  await expect(without.getByText(email)).toBeVisible();
  // Owners can't lock themselves out.
  await expect(page.getByRole('button', { name: 'Require second factor' })).toBeDisabled();
  await addAuthenticator(page);
  await page.reload();
  await expectAccessible(page);
  await expect(without.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Require second factor' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByText(/1 member loses access immediately/)).toBeVisible();
  await dialog.getByRole('button', { name: /^Require/ }).click();
  await expect(page.getByText('Required', { exact: true })).toBeVisible();

  await other.goto(`/${slug}`);
  await expect(
    other.getByRole('link', { name: /security|second factor|set (it|one) up/i }).first(),
  ).toBeVisible();
  await addAuthenticator(other);
  await other.goto(`/${slug}`);
  await expect(
    other
      .getByRole('heading', { level: 1, name: 'Apps' })
      .or(other.getByRole('navigation', { name: 'Breadcrumb' }))
      .first(),
  ).toBeVisible();
  await other.context().close();
});

test('a team is created, moved, transferred, left and deleted', async ({ page, browser, baseURL }) => {
  const complaints = watchConsole(page);
  const { slug: home } = await registerUser(page, 'founder');
  const other = await anotherBrowser(browser, baseURL);
  const { email } = await registerUser(other, 'heir');
  const slug = `guild-${Math.random().toString(36).slice(2, 8)}`;
  const moved = `${slug}-moved`;

  await test.step('taken and reserved addresses show an error at the field', async () => {
    await page.goto(`/${home}`);
    await page.getByRole('button', { name: /^Team:/ }).click();
    await page.getByRole('menuitem', { name: /Create team/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Create team' });
    await dialog.getByLabel('Name').fill('Guild');
    await dialog.getByLabel('Address').fill('pricing');
    await expect(dialog.getByText('“pricing” is reserved.')).toBeVisible();
    await dialog.getByLabel('Address').fill(home);
    await dialog.getByRole('button', { name: 'Create team' }).click();
    await expect(dialog.getByLabel('Address')).toHaveAttribute('aria-invalid', 'true');
    await expect(dialog.getByLabel('Name')).toHaveValue('Guild');
    await dialog.getByLabel('Address').fill(slug);
    await dialog.getByRole('button', { name: 'Create team' }).click();
    await page.waitForURL(`**/${slug}`);
  });

  await test.step('renamed and moved; the old address redirects', async () => {
    await page.goto(`/${slug}/members?tab=settings`);
    await page.getByRole('textbox', { name: 'Team name' }).fill('Guild of Weavers');
    await page.getByRole('button', { name: 'Save name' }).click();
    await expect(
      page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Guild of Weavers'),
    ).toBeVisible();
    await page.getByRole('textbox', { name: 'Team address' }).fill(moved);
    const dialog = page.getByRole('dialog');
    // The error of an attempt doesn't show in the next one's dialog.
    await page.route(`**/api/v1/workspaces/${slug}`, (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
    );
    await page.getByRole('button', { name: 'Change address…' }).click();
    await dialog.getByRole('button', { name: 'Change address' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Couldn’t change the address');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.unroute(`**/api/v1/workspaces/${slug}`);
    await page.getByRole('button', { name: 'Change address…' }).click();
    await expect(dialog.getByRole('alert')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Change address' }).click();
    await page.waitForURL(`**/${moved}/members?tab=settings`);
    await expect(page.getByText(`Former addresses that redirect here: ${slug}.`)).toBeVisible();
    await page.goto(`/${slug}/tokens`);
    await page.waitForURL(`**/${moved}/tokens`);
  });

  await test.step('transferred; the founder becomes an admin', async () => {
    await join(other, await invite(page, moved, email, 'Member'), moved);
    await page.goto(`/${moved}/members?tab=settings`);
    const select = page.getByLabel('New owner');
    const heir = await select.getByRole('option', { name: new RegExp(email) }).getAttribute('value');
    await select.selectOption(heir ?? '');
    await page.getByRole('button', { name: 'Transfer…' }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog.getByRole('button', { name: 'Transfer' })).toBeDisabled();
    await dialog.getByLabel(/^Type “.*” to confirm$/).fill(moved);
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Delete team…' })).toBeDisabled();
  });

  await test.step('the founder leaves and the team stays', async () => {
    await page.getByRole('button', { name: 'Leave team…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`**/${home}`);
    expect((await page.request.get(`/api/v1/workspaces/${moved}`)).status()).toBe(404);
  });

  await test.step('the new owner deletes it', async () => {
    await other.goto(`/${moved}/members?tab=settings`);
    await expect(other.getByRole('button', { name: 'Leave team…' })).toBeDisabled();
    await expect(other.getByText('You’re the only owner.').first()).toBeVisible();
    await callApi(other, 'post', '/billing/top-ups', { data: { amount: '25' }, team: moved, once: true });
    await other.getByRole('button', { name: 'Delete team…' }).click();
    const dialog = other.getByRole('alertdialog');
    await expect(dialog.getByText('An unpaid payment is canceled.')).toBeVisible();
    await dialog.getByLabel(/^Type “.*” to confirm$/).fill(moved);
    await dialog.getByRole('button', { name: 'Delete team' }).click();
    await other.waitForURL((url) => !url.pathname.startsWith(`/${moved}`));
    const { teams } = await callApi<{ teams: { slug: string }[] }>(other, 'get', '/session');
    expect(teams.map((team) => team.slug)).not.toContain(moved);
  });
  await other.context().close();
  expect(withoutStatus(complaints, 404, 409, 500)).toEqual([]);
});

test('deleting the only team leaves its owner signed in and able to create another', async ({ page }) => {
  const { slug } = await registerUser(page, 'founder');
  await page.goto(`/${slug}/members?tab=settings`);
  await page.getByRole('button', { name: 'Delete team…' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel(`Type “${slug}” to confirm`).fill(slug);
  await dialog.getByRole('button', { name: 'Delete team' }).click();
  await expect(page.getByText('No teams yet')).toBeVisible();
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Create team' }).click();
  await page.getByLabel('Name').fill('Second try');
  const address = `${slug.slice(0, 30)}-again`;
  await page.getByLabel('Address').fill(address);
  await page.getByRole('dialog').getByRole('button', { name: 'Create team' }).click();
  await page.waitForURL(`**/${address}`);
});
