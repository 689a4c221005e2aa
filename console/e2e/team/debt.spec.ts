import { loadConfig } from '../../../server/config';
import { connectRunning } from '../../../server/db/core/embedded';
import { expect, test } from '../browser';
import { startOwnServer, type OwnServer } from '../ownServer';
import { expectAccessible, expectNoSidewaysScroll, newEmail, PASSWORD, watchConsole } from '../support';

/* A team on a server that requires funds: the amount due, when CVMs stop, and how to settle it. */

test.describe.configure({ mode: 'serial', timeout: 240_000 });

/** The debt job runs every 30 seconds. */
const NEXT_RUN = { timeout: 90_000 };

let server: OwnServer;

test.beforeAll(async () => {
  server = await startOwnServer({ LOCAL_TEEPOD_ENGINE: 'simulate', BILLING_ENFORCEMENT: 'on' });
});
test.afterAll(() => server?.stop());

/** Changes a team's balance like an adjustment does. Amounts in micro-dollars. */
async function adjust(slug: string, amount: number): Promise<void> {
  const database = await connectRunning(loadConfig({ DATA_DIR: server.dataDir }), 'a browser test');
  try {
    await database.pool.query(
      `insert into ledger_transactions (public_id, team_id, kind, source_type, source_id, description, effective_at, entries)
       select 'crt_' || gen_random_uuid(), id, 'adjustment', 'test', gen_random_uuid()::text, 'Adjustment', now(),
         jsonb_build_array(jsonb_build_object('account', 'adjustment', 'amount', -$2::bigint),
           jsonb_build_object('account', 'prepaid', 'amount', $2::bigint))
       from teams where slug = $1`,
      [slug, amount],
    );
  } finally {
    await database.stop();
  }
}

test('a debt is announced with its dates, and settled', async ({ page }) => {
  const complaints = watchConsole(page);
  const registered = await page.request.post(`${server.url}/api/v1/auth/register`, {
    data: { email: newEmail('debtor'), password: PASSWORD },
    headers: { Origin: server.url },
  });
  expect(registered.ok()).toBe(true);
  await page.goto(`${server.url}/`);
  await page.waitForURL((url) => !/^\/(register|login)?$/.test(url.pathname));
  const slug = new URL(page.url()).pathname.split('/')[1] ?? '';

  await test.step('without a debt, nothing is due', async () => {
    await page.goto(`${server.url}/debt-settlement?team=${slug}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Debt settlement' })).toBeVisible();
    await expect(page.getByText('Nothing is due')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a debt shows the amount due, since when, and what happens when', async () => {
    await adjust(slug, -12_500_000);
    await expect(page.getByRole('button', { name: 'Pay' })).toBeVisible(NEXT_RUN);
    const due = page.getByRole('term').filter({ hasText: 'Due now' }).locator('xpath=following-sibling::dd');
    await expect(due).toHaveText('$12.50');
    await expect(page.getByRole('listitem').filter({ hasText: 'CVMs stop' }).first()).toHaveAttribute(
      'aria-current',
      'step',
    );
    await expect(page.getByText('CVMs are deleted', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('every team page has a banner that links there', async () => {
    await page.goto(`${server.url}/${slug}`);
    await expect(page.getByText('Payment due.')).toBeVisible();
    await expect(page.getByText(/CVMs stop/).first()).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Settle' }).click();
    await expect(page).toHaveURL(/\/debt-settlement/);
    await page.goto(`${server.url}/setup-billing?team=${slug}`);
    await page.getByRole('link', { name: 'View debt' }).click();
    await expect(page).toHaveURL(/\/debt-settlement/);
  });

  await test.step('paying starts with the amount that settles it', async () => {
    await page.getByRole('button', { name: 'Pay' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add funds' });
    await expect(dialog.getByLabel('Amount in US dollars')).toHaveValue('12.50');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page
      .getByRole('dialog', { name: 'Send the transfer' })
      .getByRole('button', { name: 'Done' })
      .click();
    await expect(page.getByText('A payment is pending.')).toBeVisible(NEXT_RUN);
    await expectAccessible(page);
  });

  await test.step('once settled, the page and the banner say so', async () => {
    await adjust(slug, 20_000_000);
    await expect(page.getByText('Nothing is due')).toBeVisible(NEXT_RUN);
    await expect(page.getByText(/The last debt was settled/)).toBeVisible();
    await page.goto(`${server.url}/${slug}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('Payment due.')).toBeHidden();
  });
  expect(complaints).toEqual([]);
});
