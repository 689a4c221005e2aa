import { expect, test, type Browser, type Page } from '../browser';
import {
  baseURL,
  callApi,
  createAdmin,
  expectAccessible,
  expectNoSidewaysScroll,
  PASSWORD,
  registerInBrowser,
  registerUser,
  watchConsole,
} from '../support';

/* A team adds funds, finance confirms them, and both see every step. */

test.describe.configure({ timeout: 180_000 });

/** Opens a browser window with platform staff signed in. */
async function openAsAdmin(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: baseURL() })).newPage();
  await callApi(page, 'post', '/auth/session', { data: { email: await createAdmin(), password: PASSWORD } });
  return page;
}

const asAdmin = (page: Page, path: string, data: object) => callApi(page, 'post', path, { data, once: true });

const fact = (page: Page, label: string) =>
  page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd');

test('a team adds funds by bank transfer, which finance confirms in parts', async ({ page, browser }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'payer');
  const admin = await openAsAdmin(browser);
  let reference = '';

  await test.step('a new team has no funds; the form reports missing fields', async () => {
    await page.getByRole('link', { name: 'Billing', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Billing' })).toBeVisible();
    await expect(fact(page, 'Balance').first()).toHaveText('$0.00');
    await expect(page.getByText('No payments yet.')).toBeVisible();
    await expect(page.getByText('No running costs')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add funds' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add funds' });
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByText('Enter an amount.')).toBeVisible();
    await dialog.getByLabel('Amount in US dollars').fill('0.50');
    await expect(dialog.getByText('The smallest amount is $1.')).toBeVisible();
  });

  await test.step('a payment shows its reference and can be canceled', async () => {
    const dialog = page.getByRole('dialog', { name: 'Add funds' });
    await expect(dialog.getByText('No bank account is published')).toBeVisible();
    await dialog.getByLabel('Amount in US dollars').fill('$100');
    // Escape can't cancel a request, so it leaves the dialog open.
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/v1/billing/top-ups', async (route) => {
      await held;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.locator('form')).toHaveAttribute('aria-busy', 'true');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeVisible();
    release();
    const sent = page.getByRole('dialog', { name: 'Send the transfer' });
    // The test server's operator has published no bank account.
    await expect(sent.getByText('No bank account is published')).toBeVisible();
    await page.unroute('**/api/v1/billing/top-ups');
    reference = (await sent.getByText(/^TH-/).textContent()) ?? '';
    await expectAccessible(page);
    await sent.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByText('Waiting', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: `Actions for ${reference}` }).click();
    await page.getByRole('menuitem', { name: 'Cancel payment' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel payment' }).click();
    await expect(page.getByText('Canceled', { exact: true })).toBeVisible();
  });

  await test.step('received amounts are added, in parts', async () => {
    await page.getByRole('button', { name: 'Add funds' }).click();
    await page.getByLabel('Amount in US dollars').fill('100');
    await page.getByRole('button', { name: 'Continue' }).click();
    const sent = page.getByRole('dialog', { name: 'Send the transfer' });
    reference = (await sent.getByText(/^TH-/).textContent()) ?? '';
    await sent.getByRole('button', { name: 'Done' }).click();
    await admin.goto(`/admin/payments?filter=${encodeURIComponent(JSON.stringify({ reference }))}`);
    await expect(admin.getByText(reference).first()).toBeVisible();
    const [payment] = await callApi<{ id: number }[]>(
      admin,
      'get',
      `/admin/payments?filter=${encodeURIComponent(JSON.stringify({ reference }))}`,
    );
    for (const [amount, state] of [
      ['60', 'Partly received'],
      ['40', 'Received'],
    ] as const) {
      await asAdmin(admin, `/admin/payments/${payment?.id}/receipts`, {
        amount,
        bank_reference: `${reference}/${amount}`,
      });
      await page.reload();
      await expect(page.getByText(state, { exact: true }).first()).toBeVisible();
    }
    await expect(fact(page, 'Balance').first()).toHaveText('$100.00');
  });

  await test.step('a code adds credit; a wrong one is refused', async () => {
    const code = `SPRING${Date.now()}`;
    await asAdmin(admin, '/admin/promotion-codes', { code, amount: '25', description: 'Spring offer' });
    await page.getByRole('button', { name: 'Redeem code' }).click();
    const dialog = page.getByRole('dialog', { name: 'Redeem a code' });
    await dialog.getByRole('textbox', { name: 'Code' }).fill('NOPE');
    await dialog.getByRole('button', { name: 'Redeem' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Couldn’t redeem the code');
    await dialog.getByRole('textbox', { name: 'Code' }).fill(code.toLowerCase());
    await dialog.getByRole('button', { name: 'Redeem' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Spring offer')).toBeVisible();
    await expect(fact(page, 'Balance').first()).toHaveText('$125.00');
    await expectAccessible(page);
  });

  await test.step('every step is a transaction, here and in the admin area', async () => {
    await page.getByRole('link', { name: 'Transactions', exact: true }).first().click();
    const table = page.getByRole('table', { name: 'transactions' });
    await expect(table.getByText(`Bank transfer ${reference}`)).toHaveCount(2);
    await expect(table.getByText('Credit: Spring offer')).toBeVisible();
    await expect(table.getByText('+$60.00').first()).toBeVisible();
    await expectAccessible(page);
    const [statement] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download PDF' }).click(),
    ]);
    expect(statement.suggestedFilename()).toMatch(new RegExp(`^${slug}-statement-\\d{4}-\\d{2}\\.pdf$`));
    await page.getByLabel('Kind').selectOption('Payment');
    await expect(table.getByText('Credit: Spring offer')).toBeHidden();
    await expect(page).toHaveURL(new RegExp(`team=${slug}.*kind=top_up`));
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await admin.goto('/admin/transactions');
    await admin.getByRole('searchbox', { name: 'Search Transactions' }).fill(reference);
    await expect(admin.getByText(`Bank transfer ${reference}`).first()).toBeVisible();
    await expectAccessible(admin);
  });
  expect(complaints.filter((text) => !text.includes('status of 409'))).toEqual([]);
});

test('members without the billing role are refused, with the reason', async ({ page, browser }) => {
  const { slug } = await registerUser(page, 'owner');
  const other = await (await browser.newContext({ baseURL: baseURL() })).newPage();
  const { email } = await registerUser(other, 'member');
  const { onDatabase } = await import('../support');
  await onDatabase(
    `insert into memberships (team_id, user_id, role) select t.id, u.id, 'viewer' from teams t, users u where t.slug = $1 and u.email = $2`,
    [slug, email],
  );
  for (const address of ['/setup-billing', '/transactions']) {
    await other.goto(`${address}?team=${slug}`);
    await expect(other.getByText('You don’t have access to billing')).toBeVisible();
    await expect(other.getByText(/The viewer role can’t see/)).toBeVisible();
    await expectAccessible(other);
  }
  await other.goto('/transactions?team=no-such-team');
  await expect(other.getByRole('heading', { level: 1 })).toHaveText(/not found/i);
});
