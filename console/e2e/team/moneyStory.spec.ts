import { readFile } from 'node:fs/promises';
import { STRIPE_VERSION } from '../../../server/drivers/payments/stripe';
import { startLocalStripe, type LocalStripe } from '../../../server/tools/localStripe/server';
import { loadConfig } from '../../../server/config';
import { pino } from 'pino';
import { createDb } from '../../../server/db/core/client';
import { connectRunning } from '../../../server/db/core/embedded';
import { closableUntil, closeUsage } from '../../../server/jobs/billing/closeUsage';
import { expect, test, type Page } from '../browser';
import { openTeam, registerOn, startOwnServer, type OwnServer } from '../ownServer';
import { expectAccessible, IMAGE, PASSWORD, watchConsole, writeCompose } from '../support';

/* The whole billing cycle: a card payment, usage, a debt, its settlement and the invoice, as seen by payer and
   finance. */

const KEY = 'sk_test_story';
const SECRET = 'whsec_story';
/** Periodic work runs every 30 to 60 seconds. */
const NEXT_RUN = { timeout: 120_000 };
const COMPOSE = `services:\n  web:\n    image: ${IMAGE}\n    command: httpd -f -p 80\n`;

let stripe: LocalStripe;
let server: OwnServer;

test.beforeAll(async () => {
  stripe = await startLocalStripe({ key: KEY, version: STRIPE_VERSION, webhook_secret: SECRET });
  server = await startOwnServer({
    LOCAL_TEEPOD_ENGINE: 'simulate',
    BILLING_ENFORCEMENT: 'on',
    STRIPE_SECRET_KEY: KEY,
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_URL: stripe.url,
  });
  stripe.webhooks.options.url = `${server.url}/webhooks/stripe`;
});
test.afterAll(async () => {
  await server?.stop();
  await stripe?.stop();
});

/** @returns the number of changed rows */
async function onOwnDatabase(statement: string, values: unknown[]): Promise<number> {
  const database = await connectRunning(loadConfig({ DATA_DIR: server.dataDir }), 'a browser test');
  try {
    return (await database.pool.query(statement, values)).rowCount ?? 0;
  } finally {
    await database.stop();
  }
}

/** Registers with a confirmed address. @returns the team's slug and the user's address */
async function register(
  page: Page,
  name: string,
  role: 'finance' | null = null,
): Promise<{ slug: string; email: string }> {
  const email = await registerOn(server, page, name);
  await onOwnDatabase('update users set email_verified_at = now(), platform_role = $2 where email = $1', [
    email,
    role,
  ]);
  const headers = { Origin: server.url };
  const data = { email, password: PASSWORD };
  expect((await page.request.post('/api/v1/auth/session', { data, headers })).ok()).toBe(true);
  return { slug: await openTeam(server, page), email };
}

/** Simulates that the team's CVM was deployed that many days earlier. */
const passDays = async (slug: string, days: number) => {
  const changes = `update cvm_state_changes s set at = s.at - $2 * interval '1 day' from cvms c, teams t
    where c.id = s.cvm_id and t.id = c.team_id and t.slug = $1 and s.status`;
  // Its page may show a container as "Running" before the CVM itself is.
  await expect.poll(() => onOwnDatabase(`${changes} = 'running'`, [slug, days])).toBe(1);
  for (const statement of [
    `${changes} <> 'running'`,
    `update usage_meters m set billed_from = m.billed_from - $2 * interval '1 day',
       closed_until = m.closed_until - $2 * interval '1 day' from cvms c, teams t
       where c.id = m.cvm_id and t.id = c.team_id and t.slug = $1`,
  ])
    await onOwnDatabase(statement, [slug, days]);
};

/** Posts usage up to now. The server does so, too, but on a busy machine not within the test's timeouts. */
async function postHours(): Promise<void> {
  const database = await connectRunning(loadConfig({ DATA_DIR: server.dataDir }), 'a browser test');
  try {
    const until = closableUntil(new Date());
    const isBehind = async () =>
      (
        await database.pool.query('select from usage_meters where not ended and closed_until < $1 limit 1', [
          until,
        ])
      ).rowCount === 1;
    const log = pino({ level: 'silent' });
    while (await isBehind()) await closeUsage({ db: createDb(database.pool), log, now: new Date() });
  } finally {
    await database.stop();
  }
}

/** @returns the user's ID in the admin area */
async function adminUser(finance: Page, email: string): Promise<number> {
  const filter = encodeURIComponent(JSON.stringify({ q: email }));
  const reply = await finance.request.get(`/api/v1/admin/users?filter=${filter}`);
  const [user] = (await reply.json()) as { id: number }[];
  return user?.id ?? 0;
}

const fact = (page: Page, label: string) =>
  page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd');

/** Pays on the page that stands in for Stripe's. */
async function payByCard(page: Page): Promise<void> {
  // Fails early if another page opened, such as a bank transfer.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Pay \$/);
  await page.getByRole('combobox', { name: 'Card' }).selectOption('4242');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
}

test('a team pays, runs out, is stopped, settles, runs again and gets its invoice', async ({ browser }) => {
  test.setTimeout(1_200_000);
  const context = { baseURL: server.url };
  const finance = await (await browser.newContext(context)).newPage();
  await register(finance, 'finance', 'finance');
  const page = await (await browser.newContext(context)).newPage();
  const complaints = [watchConsole(finance), watchConsole(page)];
  const { slug, email } = await register(page, 'payer');
  const payer = await adminUser(finance, email);
  /** Opens finance's view of the payer's teams until it shows the expected state of the debt. */
  const financeSees = async (debt: RegExp | null) => {
    const facts = finance.getByRole('main');
    await expect(async () => {
      await finance.goto(`/admin/users/${payer}/billing`);
      await expect(facts.getByText('Unpaid invoices')).toBeVisible({ timeout: 15_000 });
      if (debt) await expect(facts.getByText(debt)).toBeVisible({ timeout: 1_000 });
      else await expect(facts.getByText('In debt')).toHaveCount(0);
    }).toPass(NEXT_RUN);
    await expectAccessible(finance);
  };

  await test.step('without funds it can’t deploy, and the form says what to do', async () => {
    await page.goto(`/${slug}/deploy`);
    await expect(page.getByText('Your team doesn’t have enough funds.')).toBeVisible();
    await expect(page.getByText('No instance type fits')).toHaveCount(0);
    // Visible wherever the form is scrolled to, because the button would be refused.
    await expect(page.getByText('Not enough funds')).toBeInViewport();
    await expect(page.getByText(/^\$[\d.]+ \/ hour · \$[\d.]+ \/ month/)).toBeInViewport();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Add funds' }).click();
    await page.waitForURL(`**/setup-billing?team=${slug}`);
  });

  await test.step('it tops up through Checkout', async () => {
    await page.goto(`/setup-billing?team=${slug}`);
    await page.getByRole('button', { name: 'Add funds' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add funds' });
    await dialog.getByLabel('Amount in US dollars').fill('25');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await payByCard(page);
    await expect(fact(page, 'Balance').first()).toHaveText('$25.00');
    await expectAccessible(page);
  });

  let cvm = '';
  await test.step('it deploys, and the CVM runs', async () => {
    await page.goto(`/${slug}/deploy`);
    await page.getByLabel('Name', { exact: true }).fill('webshop');
    await writeCompose(page, COMPOSE);
    // At this width the context aside starts closed.
    await page.getByRole('button', { name: 'Show context' }).click();
    await expect(fact(page, 'Balance would last').first()).toHaveText(/^\d+ d/);
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.waitForURL(`**/${slug}/cvms/**`, NEXT_RUN);
    cvm = new URL(page.url()).pathname;
    await expect(page.getByRole('main').getByText('Running', { exact: true }).first()).toBeVisible(NEXT_RUN);
  });

  await test.step('its pages say how long the balance lasts', async () => {
    await expect(fact(page, 'Balance lasts').first()).toHaveText(/^\d+ d/);
    await page.goto(`${cvm}/settings`);
    await page.getByRole('radio', { name: /tdx.medium/ }).check();
    await expect(page.getByText(/Balance would last: \d+ d/).first()).toBeVisible();
    await page.goto(cvm.replace(/\/cvms\/.*/, ''));
    await expect(fact(page, 'Balance lasts').first()).toHaveText(/^\d+ d/);
    await page.getByRole('link', { name: 'webshop' }).first().click();
    await page.waitForURL(`**/${slug}/apps/**`);
    await expect(fact(page, 'Balance lasts').first()).toHaveText(/^\d+ d/);
    await expectAccessible(page);
  });

  await test.step('finance finds the payment and the running CVM', async () => {
    await finance.goto('/admin/payments');
    await expect(finance.getByRole('cell', { name: '$25.00' }).first()).toBeVisible();
    await expectAccessible(finance);
    await finance.goto('/admin/usage');
    await expect(finance.getByRole('row').filter({ hasText: 'webshop' }).first()).toBeVisible();
    await expectAccessible(finance);
    await financeSees(null);
  });

  await test.step('forty days later its funds are used up, and every page says when to pay', async () => {
    await passDays(slug, 40);
    await postHours();
    await expect(page.getByText('Payment due.')).toBeVisible(NEXT_RUN);
    await page.getByRole('link', { name: 'Settle' }).click();
    await expect(page.getByText('CVMs are deleted', { exact: true })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('it is warned, and finance finds the debtor with the dates', async () => {
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Notifications' });
    await expect(sheet.getByRole('link', { name: /Payment due/ }).first()).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await financeSees(/, CVMs stop /);
  });

  await test.step('after the grace period its CVM is stopped, and its disk kept', async () => {
    await onOwnDatabase(
      'update debts d set stops_at = now() from teams t where t.id = d.team_id and t.slug = $1',
      [slug],
    );
    await page.goto(cvm);
    await expect(page.getByRole('main').getByText('Stopped', { exact: true }).first()).toBeVisible(NEXT_RUN);
    await financeSees(/, CVMs stopped /);
  });

  await test.step('it settles the debt, and the CVM runs again', async () => {
    await page.goto(`/debt-settlement?team=${slug}`);
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Add funds' });
    await dialog.getByLabel('Amount in US dollars').fill('100');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await payByCard(page);
    const paid = page.getByRole('row').filter({ hasText: '$100.00' }).filter({ hasText: 'Received' });
    await expect(paid.first()).toBeVisible(NEXT_RUN);
    await page.goto(`/debt-settlement?team=${slug}`);
    await expect(page.getByText(/The last debt was settled/)).toBeVisible(NEXT_RUN);
    await page.goto(cvm);
    await expect(page.getByRole('main').getByText('Running', { exact: true }).first()).toBeVisible(NEXT_RUN);
    await expectAccessible(page);
  });

  await test.step('finance sees that it is settled, with the amount paid', async () => {
    await financeSees(null);
    await finance.getByRole('link', { name: 'View transactions' }).click();
    await expect(finance.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(finance.getByRole('cell', { name: '$100.00' }).first()).toBeVisible();
    await expectAccessible(finance);
  });

  await test.step('finance reviews and issues last month’s invoice', async () => {
    const drafts = `/admin/invoices?filter=${encodeURIComponent(JSON.stringify({ state: 'draft' }))}`;
    await expect(async () => {
      await finance.goto(drafts);
      await expect(finance.getByText(/^inv_/).first()).toBeVisible({ timeout: 10_000 });
    }).toPass(NEXT_RUN);
    await finance.getByText(/^inv_/).first().click();
    await finance.getByRole('button', { name: 'Issue…', exact: true }).click();
    await finance.getByRole('dialog').getByRole('button', { name: 'Issue', exact: true }).click();
    await expect(finance.getByRole('heading', { level: 1, name: /^INV-/ })).toBeVisible();
    await expectAccessible(finance);
  });

  await test.step('the team reads it, with its CVM’s usage', async () => {
    await page.goto(`/transactions?team=${slug}&tab=invoices`);
    await page.getByRole('link', { name: /^INV-/ }).click();
    await expect(page.getByText('webshop').first()).toBeVisible();
    await expectAccessible(page);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download PDF' }).click();
    expect((await readFile(await (await saved).path())).subarray(0, 5).toString()).toBe('%PDF-');
  });

  await test.step('the books balance', async () => {
    await finance.goto('/admin/ledger');
    await expect(finance.getByRole('heading', { level: 1, name: 'Ledger health' })).toBeVisible();
    const total = finance.getByRole('row', { name: /^Total/ });
    await expect(total.getByRole('cell', { name: '$0.00', exact: true })).toBeVisible();
    await expectAccessible(finance);
  });
  expect(complaints).toEqual([[], []]);
});
