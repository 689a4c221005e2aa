import { expect, test, type Browser, type Page } from '@playwright/test';
import { addAuthenticator, apartFrom, callApi, mailedLink } from './people';
import { expectAccessible, expectNoSidewaysScroll, registerInBrowser, watchConsole } from './support';

test.describe.configure({ timeout: 180_000 });

async function anotherBrowser(browser: Browser, baseURL: string | undefined): Promise<Page> {
  return (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
}

/** Invites through the page; the other joins by the mailed link. */
async function invite(page: Page, slug: string, email: string, role: string): Promise<string> {
  await page.goto(`/${slug}/members`);
  await page.getByRole('link', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(email);
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

test('two at once: invited, made more and less, removed', async ({ page, browser, baseURL }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'inviter');
  const other = await anotherBrowser(browser, baseURL);
  const { email } = await registerInBrowser(other, 'invitee');

  await test.step('invited twice, the second is told at the address', async () => {
    const first = await invite(page, slug, email, 'Viewer');
    expect(first).toContain('/invite/');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expectAccessible(page);
    await dialog.getByLabel('E-mail address').fill(email);
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await expect(dialog.getByLabel('E-mail address')).toHaveAttribute('aria-invalid', 'true');
    await expect(dialog.getByLabel('E-mail address')).toHaveValue(email);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('sent again, the older link is worth nothing', async () => {
    const before = await mailedLink(email, 'invitation');
    await actionsOf(page, new RegExp(email)).click();
    await page.getByRole('menuitem', { name: 'Send again' }).click();
    await expect(page.getByText(`Sent again to ${email}`)).toBeVisible();
    const after = await mailedLink(email, 'invitation');
    expect(after).not.toBe(before);
    await other.goto(before);
    await expect(other.getByText('This invitation is not valid any more')).toBeVisible();
    await join(other, after, slug);
  });

  await test.step('a viewer sees why the rest is shut', async () => {
    await other.goto(`/${slug}/members`);
    await expect(other.getByRole('row', { name: new RegExp(email) }).getByText('Viewer')).toBeVisible();
    await expect(other.getByRole('button', { name: 'Invite', exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    const audit = other.getByRole('link', { name: 'Audit log' });
    await expect(audit).toHaveAttribute('aria-disabled', 'true');
    await expectAccessible(other);
    await other.goto(`/${slug}/tokens`);
    await expect(other.getByText('Your role has no tokens')).toBeVisible();
    await expectAccessible(other);
  });

  await test.step('made a member here, the open page there may more', async () => {
    await other.goto(`/${slug}/tokens`);
    await expect(other.getByRole('button', { name: 'Create a token' })).toBeVisible();
    await page.reload();
    const row = page.getByRole('row', { name: new RegExp(email) });
    await row.getByRole('combobox', { name: /^Role of/ }).selectOption('member');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText(/counts from their next request/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Make member' }).click();
    await expect(dialog).toBeHidden();
    await expect(row.getByRole('combobox')).toHaveValue('member');
    // The person comes back to that window.
    await other.evaluate(() => dispatchEvent(new Event('focus')));
    await expect(other.getByRole('link', { name: 'Create a token' }).first()).toBeVisible({
      timeout: 15_000,
    });
  });

  await test.step('removed here, the open page there loses the team within seconds', async () => {
    await other.goto(`/${slug}`);
    await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
    await actionsOf(page, new RegExp(email)).click();
    await page.getByRole('menuitem', { name: 'Remove from the team' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByRole('row', { name: new RegExp(email) })).toHaveCount(0);
    await expect(other.getByRole('heading', { name: 'There is nothing at this address' })).toBeVisible({
      timeout: 15_000,
    });
  });
  await other.context().close();
  expect(apartFrom(complaints, 409)).toEqual([]);
});

test('what each role may do is the server’s table, searchable', async ({ page }) => {
  const { slug } = await registerInBrowser(page, 'reader');
  await page.goto(`/${slug}/members?tab=roles`);
  const row = page.getByRole('row', { name: /Deploy, change and delete CVMs/ });
  await expect(row.getByRole('cell')).toHaveText(['no', 'no', 'yes', 'yes', 'yes', 'cvms:*']);
  await page.getByLabel('Search', { exact: true }).last().fill('second factors');
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

test('a second factor required of everybody: named before they are shut out', async ({
  page,
  browser,
  baseURL,
}) => {
  const { slug } = await registerInBrowser(page, 'strict');
  const other = await anotherBrowser(browser, baseURL);
  const { email } = await registerInBrowser(other, 'lax');
  await join(other, await invite(page, slug, email, 'Member'), slug);

  await page.goto(`/${slug}/members?tab=security`);
  const without = page.getByRole('list', { name: 'Members without a second factor' });
  await expect(without.getByText(email)).toBeVisible();
  // Nobody shuts themselves out.
  await expect(page.getByRole('button', { name: 'Require a second factor' })).toBeDisabled();
  await addAuthenticator(page);
  await page.reload();
  await expectAccessible(page);
  await expect(without.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Require a second factor' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByText(/1 member is shut out at once/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Require it' }).click();
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

test('a team: made, moved, handed over, left and deleted', async ({ page, browser, baseURL }) => {
  const complaints = watchConsole(page);
  const { slug: home } = await registerInBrowser(page, 'founder');
  const other = await anotherBrowser(browser, baseURL);
  const { email } = await registerInBrowser(other, 'heir');
  const slug = `guild-${Math.random().toString(36).slice(2, 8)}`;
  const moved = `${slug}-moved`;

  await test.step('taken and reserved addresses are said at the field', async () => {
    await page.goto(`/${home}`);
    await page.getByRole('button', { name: /^Team:/ }).click();
    await page.getByRole('menuitem', { name: /Make a team/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a team' });
    await dialog.getByLabel('Name').fill('Guild');
    await dialog.getByLabel('Address').fill('pricing');
    await expect(dialog.getByText('“pricing” is reserved.')).toBeVisible();
    await dialog.getByLabel('Address').fill(home);
    await dialog.getByRole('button', { name: 'Make team' }).click();
    await expect(dialog.getByLabel('Address')).toHaveAttribute('aria-invalid', 'true');
    await expect(dialog.getByLabel('Name')).toHaveValue('Guild');
    await dialog.getByLabel('Address').fill(slug);
    await dialog.getByRole('button', { name: 'Make team' }).click();
    await page.waitForURL(`**/${slug}`);
  });

  await test.step('renamed and moved; the old address leads to the new one', async () => {
    await page.goto(`/${slug}/members?tab=settings`);
    await page.getByLabel('Name of the team').fill('Guild of Weavers');
    await page.getByRole('button', { name: 'Save name' }).click();
    await expect(
      page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Guild of Weavers'),
    ).toBeVisible();
    await page.getByLabel('Address of the team').fill(moved);
    await page.getByRole('button', { name: 'Change address…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Change address' }).click();
    await page.waitForURL(`**/${moved}/members?tab=settings`);
    await expect(page.getByText(`These lead here too: ${slug}.`)).toBeVisible();
    await page.goto(`/${slug}/tokens`);
    await page.waitForURL(`**/${moved}/tokens`);
  });

  await test.step('handed over, the founder is an admin', async () => {
    await join(other, await invite(page, moved, email, 'Member'), moved);
    await page.goto(`/${moved}/members?tab=settings`);
    const select = page.getByLabel('New owner');
    const heir = await select.getByRole('option', { name: new RegExp(email) }).getAttribute('value');
    await select.selectOption(heir ?? '');
    await page.getByRole('button', { name: 'Transfer…' }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog.getByRole('button', { name: 'Transfer' })).toBeDisabled();
    await dialog.getByLabel('Type the name to confirm').fill(moved);
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Delete team…' })).toBeDisabled();
  });

  await test.step('the founder leaves; the team goes on', async () => {
    await page.getByRole('button', { name: 'Leave the team…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(`**/${home}`);
    expect((await page.request.get(`/api/v1/workspaces/${moved}`)).status()).toBe(404);
  });

  await test.step('the heir deletes it', async () => {
    await other.goto(`/${moved}/members?tab=settings`);
    await other.getByRole('button', { name: 'Leave the team…' }).click();
    await other.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
    await expect(other.getByText('You are still in the team')).toBeVisible();
    await other.keyboard.press('Escape');
    await other.getByRole('button', { name: 'Delete team…' }).click();
    const dialog = other.getByRole('alertdialog');
    await dialog.getByLabel('Type the name to confirm').fill(moved);
    await dialog.getByRole('button', { name: 'Delete team' }).click();
    await other.waitForURL((url) => !url.pathname.startsWith(`/${moved}`));
    const { teams } = await callApi<{ teams: { slug: string }[] }>(other, 'get', '/session');
    expect(teams.map((team) => team.slug)).not.toContain(moved);
  });
  await other.context().close();
  expect(apartFrom(complaints, 404, 409)).toEqual([]);
});
