import { expect, test, type Page } from '@playwright/test';
import { parseWebhookEvent } from '@phala/cloud/webhook';
import { startReceiver, type Receiver } from '../../server/testing/webhookReceiver';
import { addAuthenticator, ageSessions, apartFrom, callApi } from './people';
import { expectAccessible, expectNoSidewaysScroll, registerInBrowser, watchConsole } from './support';

test.describe.configure({ timeout: 180_000 });

let receiver: Receiver;
test.beforeEach(async () => {
  receiver = await startReceiver();
});
test.afterEach(() => receiver.close());

async function addWebhook(page: Page, slug: string, name: string): Promise<string> {
  await page.goto(`/${slug}/members?tab=webhooks`);
  await page.getByRole('link', { name: 'Add a webhook' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add a webhook' });
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'All events' }).click();
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy the secret' });
  const secret = (await shown.getByLabel('Secret', { exact: true }).textContent()) ?? '';
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await shown.getByRole('button', { name: 'I have copied it' }).click();
  await page.waitForURL('**/members?tab=webhooks&webhook=whk_*');
  return secret;
}

test('a webhook: made, tested, failing, sent again, switched off, deleted', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'hooks');
  let secret = '';

  await test.step('an empty tab teaches; the form says what is wrong, the server too', async () => {
    await page.goto(`/${slug}/members?tab=webhooks`);
    await expect(page.getByText('No webhooks', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Add a webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByText('Enter the address of your receiver.')).toBeVisible();
    await expect(dialog.getByText('Choose at least one.')).toBeVisible();
    await dialog.getByLabel('Address').fill('https://10.0.0.7/hook');
    await dialog.getByRole('checkbox', { name: 'cvm.created' }).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByText(/leads into a private network/).first()).toBeVisible();
    await expect(dialog.getByText('ERR-00-005')).toBeVisible();
    await expectAccessible(page);
    await page.goBack();
    await expect(dialog).toBeHidden();
  });

  await test.step('its secret is shown once, and what comes is signed with it', async () => {
    secret = await addWebhook(page, slug, 'Chat of operations');
    expect(secret).toMatch(/^whsec_/);
    await expect(page.getByText(secret)).toHaveCount(0);
    await expect(page.getByText('Nothing was sent yet')).toBeVisible();
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog', { name: 'cvm.created (test)' });
    await expect(dialog.getByText('Delivered')).toBeVisible();
    await expect(dialog.getByText('Taken (204).')).toBeVisible();
    await expectAccessible(page);
    const [got] = receiver.received;
    expect(parseWebhookEvent({ headers: got!.headers, body: got!.body, secret }).event).toBe('cvm.created');
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('a refusal shows its status and nothing of its text; sent again it goes through', async () => {
    receiver.answer = (_one, res) => void res.writeHead(500).end('words of the receiver');
    await page.getByRole('button', { name: 'Send a test' }).click();
    const dialog = page.getByRole('dialog', { name: 'cvm.created (test)' });
    await expect(dialog.getByText('It answered 500.')).toBeVisible();
    await expect(dialog.getByText('Failed', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('words of the receiver')).toHaveCount(0);
    receiver.answer = (_one, res) => void res.writeHead(200).end();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await expect(dialog.getByText('Delivered')).toBeVisible();
    await expect(dialog.getByRole('listitem')).toHaveCount(2);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('row')).toHaveCount(3);
  });

  await test.step('switched off and changed', async () => {
    await page.getByRole('switch', { name: 'Send events to it' }).click();
    await expect(page.getByText('what happens now is not sent later')).toBeVisible();
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menuitem', { name: /Show the secret/ })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await page.getByRole('menuitem', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the webhook' });
    await dialog.getByLabel('Name').fill('Pager');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('heading', { name: 'Pager' })).toBeVisible();
  });

  await test.step('on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All webhooks' }).click();
    await expect(page.getByText('Off', { exact: true })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.getByRole('link', { name: 'Pager' }).click();
  });

  await test.step('deleted', async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('No webhooks', { exact: true })).toBeVisible();
  });
  expect(apartFrom(complaints, 422)).toEqual([]);
});

test('the secret is shown and replaced after confirming, with the second factor', async ({ page }) => {
  const complaints = watchConsole(page);
  const { email, slug } = await registerInBrowser(page, 'secretive');
  const { app } = await addAuthenticator(page);
  const first = await addWebhook(page, slug, 'Signed');

  await ageSessions(email);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Replace the secret' }).click();
  await page
    .getByRole('dialog', { name: 'Replace the secret?' })
    .getByRole('button', { name: 'Replace' })
    .click();
  const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(confirm.getByLabel('Code of your authenticator app')).toBeVisible();
  await expectAccessible(page);
  // It is sent with its last digit.
  await confirm.getByLabel('Code of your authenticator app').fill(app.next());
  const shown = page.getByRole('dialog', { name: 'Copy the new secret' });
  const second = (await shown.getByLabel('Secret', { exact: true }).textContent()) ?? '';
  expect(second).toMatch(/^whsec_/);
  expect(second).not.toBe(first);
  await shown.getByRole('button', { name: 'I have copied it' }).click();
  await expect(page.getByText('Former secret ends')).toBeVisible();

  // A receiver that still checks with the old one takes it all the same.
  receiver.answer = (one, res) => {
    try {
      parseWebhookEvent({ headers: one.headers, body: one.body, secret: first });
      res.writeHead(200).end();
    } catch {
      res.writeHead(401).end();
    }
  };
  await page.getByRole('button', { name: 'Send a test' }).click();
  const dialog = page.getByRole('dialog', { name: 'cvm.created (test)' });
  await expect(dialog.getByText('The receiver still uses the former secret.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Show the secret' }).click();
  await page.getByRole('dialog', { name: 'Show the secret?' }).getByRole('button', { name: 'Show' }).click();
  const both = page.getByRole('dialog', { name: 'The secret' });
  await expect(both.getByLabel('Secret', { exact: true })).toHaveText(second);
  await expect(both.getByLabel('Former secret', { exact: true })).toHaveText(first);
  await expectAccessible(page);
  const audit = await callApi<{ data: { action: string }[] }>(page, 'get', `/workspaces/${slug}/audit`);
  expect(audit.data.map(({ action }) => action)).toContain('webhook.reveal_secret');
  expect(apartFrom(complaints, 428)).toEqual([]);
});
