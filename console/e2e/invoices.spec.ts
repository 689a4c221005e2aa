import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test, type Browser, type Page } from './browser';
import {
  baseURL,
  callApi,
  createAdmin,
  expectAccessible,
  expectNoSidewaysScroll,
  onDatabase,
  PASSWORD,
  registerUser,
  watchConsole,
} from './support';

/* Finance reviews a draft and issues it; the team finds its invoice, downloads it and is credited. */

test.describe.configure({ timeout: 180_000 });

async function openAsAdmin(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: baseURL() })).newPage();
  await callApi(page, 'post', '/auth/session', { data: { email: await createAdmin(), password: PASSWORD } });
  return page;
}

/** Inserts a draft for October 2026 with one line of $41.76, as the monthly close would. */
async function insertDraft(slug: string): Promise<string> {
  const public_id = `inv_${Math.random().toString(36).slice(2, 14)}`;
  await onDatabase(
    `insert into invoices (public_id, team_id, kind, period_start, period_end, subtotal_micros, subtotal_cents, total_cents)
     select $2, id, 'invoice', '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z', 41760000, 4176, 4176
     from teams where slug = $1`,
    [slug, public_id],
  );
  await onDatabase(
    `insert into invoice_lines (invoice_id, position, cvm_id, vm_uuid, cvm_name, app_name, basis, seconds, rate_micros,
       amount_micros, amount_cents)
     select id, 1, 1, '8f14e45f-ceea-467a-9575-3c1b1b1a7a11', 'api-1', 'api', 'size', 2592000, 58000, 41760000, 4176
     from invoices where public_id = $1`,
    [public_id],
  );
  return public_id;
}

const fact = (page: Page, label: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd');

test('an invoice goes from the review queue to its team, and is credited', async ({ page, browser }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'invoiced');
  const admin = await openAsAdmin(browser);
  const adminComplaints = watchConsole(admin);
  let id = 0;

  await test.step('a new team has no invoices', async () => {
    await page.goto(`/transactions?team=${slug}`);
    await page
      .getByRole('navigation', { name: 'Transactions' })
      .getByRole('link', { name: 'Invoices' })
      .click();
    await expect(page).toHaveURL(/tab=invoices/);
    await expect(page.getByText('No invoices yet')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('billing details reject a malformed VAT number', async () => {
    await page.goto(`/setup-billing?team=${slug}`);
    await page.getByRole('button', { name: 'Edit details' }).click();
    const dialog = page.getByRole('dialog', { name: 'Billing details' });
    await dialog.getByLabel('Legal name').fill('Acme GmbH');
    await dialog.getByLabel('VAT number').fill('DE12');
    await dialog.getByRole('button', { name: 'Save details' }).click();
    await expect(dialog.getByText('Enter the VAT number of an EU member state').first()).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel('VAT number').fill('de 123 456 789');
    await dialog.getByRole('button', { name: 'Save details' }).click();
    await expect(dialog).toBeHidden();
    await expect(fact(page, 'VAT number')).toHaveText('DE123456789');
  });

  await test.step('finance finds the draft in the review queue, reads its lines and issues it', async () => {
    const public_id = await insertDraft(slug);
    const filter = encodeURIComponent(JSON.stringify({ q: public_id }));
    const [draft] = await callApi<{ id: number; team_id: number }[]>(
      admin,
      'get',
      `/admin/invoices?filter=${filter}`,
    );
    id = draft?.id ?? 0;
    await admin.goto(`/admin/invoices?filter=${encodeURIComponent(JSON.stringify({ state: 'draft' }))}`);
    await expect(admin.getByText(public_id).first()).toBeVisible();
    await expectAccessible(admin);
    await admin.goto(`/admin/workspaces/${draft?.team_id}/invoices`);
    await expect(admin.getByText(public_id).first()).toBeVisible();
    await admin.goto(`/admin/invoices/${id}`);
    const lines = admin.getByRole('table', { name: 'Lines' });
    await expect(lines.getByText('api-1')).toBeVisible();
    await expect(admin.getByRole('link', { name: 'Download PDF' })).toBeHidden();
    await expectAccessible(admin);
    await admin.getByRole('button', { name: 'Issue…', exact: true }).click();
    const dialog = admin.getByRole('dialog');
    await expect(dialog.getByText('It can no longer be changed.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
    await expect(admin.getByRole('heading', { level: 1, name: /^INV-\d{4}-\d{5}$/ })).toBeVisible();
    await expect(admin.getByRole('link', { name: 'Download PDF' })).toBeVisible();
  });

  await test.step('the team opens it and downloads the stored PDF', async () => {
    await page.goto(`/transactions?team=${slug}&tab=invoices`);
    const table = page.getByRole('table', { name: 'invoices' });
    await table.getByRole('link', { name: /^INV-/ }).click();
    await expect(page.getByRole('heading', { name: /^Invoice INV-/ })).toBeVisible();
    await expect(fact(page, 'Bill to')).toHaveText('Acme GmbH');
    await expect(fact(page, 'Subtotal')).toHaveText('$41.76');
    await expect(page.getByRole('table', { name: 'invoice lines' }).getByText('api / api-1')).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    const started = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download PDF' }).click();
    const download = await started;
    expect(download.suggestedFilename()).toMatch(/^INV-\d{4}-\d{5}\.pdf$/);
    const content = await readFile(await download.path());
    expect(content.subarray(0, 5).toString()).toBe('%PDF-');
    const shown = await callApi<{ pdf_sha256: string }>(admin, 'get', `/admin/invoices/${id}`);
    expect(createHash('sha256').update(content).digest('hex')).toBe(shown.pdf_sha256);
  });

  await test.step('a credit note appears beside it and links back to it', async () => {
    await callApi(admin, 'post', `/admin/invoices/${id}/credit`, {
      data: { amount: '5', reason: 'Host outage' },
      once: true,
    });
    await page.getByRole('link', { name: 'All invoices' }).click();
    // Finance issued it after the list was loaded; the page refetches.
    const table = page.getByRole('table', { name: 'invoices' });
    await table.getByRole('link', { name: /^CRN-/ }).click({ timeout: 60_000 });
    await expect(page.getByRole('heading', { name: /^Credit note CRN-/ })).toBeVisible();
    await expect(fact(page, 'Reason')).toHaveText('Host outage');
    await expect(fact(page, 'Total')).toHaveText('−$5.00');
    await expectAccessible(page);
    await page.getByRole('link', { name: 'View invoice' }).click();
    await expect(page.getByRole('heading', { name: /^Invoice INV-/ })).toBeVisible();
  });

  expect(complaints.filter((text) => !text.includes('/billing/details'))).toEqual([]);
  expect(adminComplaints).toEqual([]);
  await admin.context().close();
});
