import { SAVE_CARD_CONSENT } from '../lib/billing/consent';
import { STRIPE_VERSION } from '../../server/drivers/payments/stripe';
import { startLocalStripe, type LocalStripe } from '../../server/tools/localStripe/server';
import { expect, test, type Page } from './browser';
import { startOwnServer, type OwnServer } from './ownServer';
import { expectAccessible, newEmail, PASSWORD, watchConsole } from './support';

/* A team pays by card. A local server stands in for Stripe's payment page. */

test.describe.configure({ mode: 'serial', timeout: 180_000 });

const KEY = 'sk_test_browser';
const SECRET = 'whsec_browser';
let stripe: LocalStripe;
let server: OwnServer;
/** The payer's address and the team's billing page. */
let payer = '';
let billing = '';

test.beforeAll(async () => {
  stripe = await startLocalStripe({ key: KEY, version: STRIPE_VERSION, webhook_secret: SECRET });
  server = await startOwnServer({
    LOCAL_TEEPOD: 'off',
    STRIPE_SECRET_KEY: KEY,
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_URL: stripe.url,
    BANK_ACCOUNT_HOLDER: 'Example Cloud Ltd',
    BANK_ACCOUNT: 'DE02 1203 0000 0000 2020 51',
  });
  stripe.webhooks.options.url = `${server.url}/webhooks/stripe`;
});
test.afterAll(async () => {
  await server?.stop();
  await stripe?.stop();
});

const fact = (page: Page, label: string) =>
  page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd');

/** Registers the server's first user and opens their team's billing page. */
async function openBilling(page: Page): Promise<void> {
  payer = newEmail('payer');
  const registered = await page.request.post(`${server.url}/api/v1/auth/register`, {
    data: { email: payer, password: PASSWORD },
    headers: { Origin: server.url },
  });
  expect(registered.ok()).toBe(true);
  await page.goto(`${server.url}/`);
  await page.waitForURL((url) => !/^\/(register|login)?$/.test(url.pathname));
  billing = `${server.url}/setup-billing?team=${new URL(page.url()).pathname.split('/')[1] ?? ''}`;
  await page.goto(billing);
}

test('a team adds funds by card, and returns to a page that already shows the pending payment', async ({
  page,
}) => {
  const complaints = watchConsole(page);
  await openBilling(page);

  await test.step('the form preselects cards and shows the maximum amount', async () => {
    await page.getByRole('button', { name: 'Add funds' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add funds' });
    await expect(dialog.getByLabel('Pay by')).toHaveValue('stripe');
    await dialog.getByLabel('Amount in US dollars').fill('10000.01');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog.getByText('The largest amount by card is $10,000.')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('leaving Stripe’s page keeps the payment', async () => {
    const dialog = page.getByRole('dialog', { name: 'Add funds' });
    await dialog.getByLabel('Amount in US dollars').fill('25');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: 'Pay $25.00' })).toBeVisible();
    await page.getByRole('link', { name: 'Back' }).click();
    await expect(page.getByText('$25.00 wasn’t paid')).toBeVisible();
    await expect(page.getByText('Incomplete', { exact: true })).toBeVisible();
    await expect(fact(page, 'Balance').first()).toHaveText('$0.00');
    await expectAccessible(page);
  });

  await test.step('a declined card can be replaced; the balance appears without reloading', async () => {
    await page.getByRole('button', { name: /^Actions for TH-/ }).click();
    await page.getByRole('menuitem', { name: 'Pay by card' }).click();
    await page.getByRole('combobox', { name: 'Card' }).selectOption('0341');
    await page.getByRole('button', { name: 'Pay $25.00' }).click();
    await expect(page.getByRole('alert')).toContainText('Your card was declined.');
    await page.getByRole('combobox', { name: 'Card' }).selectOption('4242');
    await page.getByRole('button', { name: 'Pay $25.00' }).click();
    await expect(page.getByText('$25.00 received')).toBeVisible();
    await expect(page.getByText('Received', { exact: true }).last()).toBeVisible();
    await expect(fact(page, 'Balance').first()).toHaveText('$25.00');
    await expectAccessible(page);
  });

  await test.step('the browser’s Back button leads to a notice about the payment just left', async () => {
    await page.getByRole('button', { name: 'Add funds' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add funds' });
    await dialog.getByLabel('Amount in US dollars').fill('11');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('heading', { name: 'Pay $11.00' })).toBeVisible();
    await page.goBack();
    await expect(page.getByText('$11.00 wasn’t paid')).toBeVisible();
    await expect(page.getByText('$25.00 received')).toHaveCount(0);
  });

  await test.step('a bank transfer can still be chosen', async () => {
    await page.getByRole('button', { name: 'Add funds' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add funds' });
    await dialog.getByLabel('Pay by').selectOption('Bank transfer');
    await dialog.getByLabel('Amount in US dollars').fill('5');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('dialog', { name: 'Send the transfer' })).toBeVisible();
  });
  expect(complaints).toEqual([]);
});

test('a card is saved and charged automatically, with consent', async ({ page }) => {
  const complaints = watchConsole(page);
  await page.request.post(`${server.url}/api/v1/auth/session`, {
    data: { email: payer, password: PASSWORD },
    headers: { Origin: server.url },
  });
  await page.goto(billing);
  await page.getByRole('button', { name: 'Save a card' }).click();
  await expect(page.getByRole('heading', { name: 'Save a card' })).toBeVisible();
  await page.getByRole('button', { name: 'Save a card' }).click();
  await expect(page.getByText('Visa ending in 4242, expires 12/2034')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Automatic payments' }).click();
  const dialog = page.getByRole('dialog', { name: 'Turn on automatic payments' });
  await expect(dialog.getByRole('switch')).toHaveCount(0);
  await dialog.getByLabel('Amount in US dollars').fill('40');
  await dialog.getByLabel('When the balance is below').fill('30');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(dialog.getByText('Agree to be charged automatically.')).toBeVisible();
  await expect(
    dialog.getByText(/may be charged \$40\.00 whenever the team’s balance is below \$30\.00/),
  ).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('checkbox', { name: 'I agree' }).click();
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByText('$40.00 when the balance is below $30.00')).toBeVisible();
  // The balance of $25 is below the threshold; the job runs every 30 seconds.
  await expect(fact(page, 'Balance').first()).toHaveText('$65.00', { timeout: 90_000 });

  await test.step('saving another card names the one it replaces', async () => {
    await page.getByRole('button', { name: 'Add funds' }).click();
    const funds = page.getByRole('dialog', { name: 'Add funds' });
    await expect(funds.getByText(/^Replaces Visa ending in 4242\./)).toBeVisible();
    await funds.getByRole('button', { name: 'Cancel' }).click();
    await expect(funds).toBeHidden();
  });

  await page.getByRole('button', { name: 'Remove card' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove card' }).click();
  await expect(fact(page, 'Card').first()).toHaveText('None');
  await expect(page.getByText('Off', { exact: true })).toBeVisible();

  await test.step('a payment saves its card only if the payer checks the box', async () => {
    await page.getByRole('button', { name: 'Add funds' }).click();
    const funds = page.getByRole('dialog', { name: 'Add funds' });
    const box = funds.getByRole('checkbox', { name: 'Save this card' });
    await expect(box).not.toBeChecked();
    await funds.getByLabel('Pay by').selectOption('Bank transfer');
    await expect(box).toHaveCount(0);
    await funds.getByLabel('Pay by').selectOption('Card');
    await box.click();
    await funds.getByLabel('Amount in US dollars').fill('10');
    await expectAccessible(page);
    await funds.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Pay $10.00' }).click();
    await expect(page.getByText('Visa ending in 4242, expires 12/2034')).toBeVisible();
    await expect(page.getByText(SAVE_CARD_CONSENT)).toBeVisible();
    await page.getByRole('button', { name: 'Automatic payments' }).click();
    await expect(page.getByRole('dialog', { name: 'Automatic payments' })).toBeVisible();
  });
  expect(complaints).toEqual([]);
});
