import { expect, test, type Page } from '../browser';
import { parseWebhookEvent } from '@phala/cloud/webhook';
import { startReceiver, type Receiver } from '../../../server/testing/webhookReceiver';
import { addAuthenticator, ageSessions, withoutStatus, callApi } from '../accounts';
import { expectAccessible, expectNoSidewaysScroll, registerUser, watchConsole } from '../support';

test.describe.configure({ timeout: 180_000 });

let receiver: Receiver;
test.beforeEach(async () => {
  receiver = await startReceiver();
});
test.afterEach(() => receiver.close());

async function addWebhook(page: Page, slug: string, name: string): Promise<string> {
  await page.goto(`/${slug}/members?tab=webhooks`);
  await page.getByRole('link', { name: 'Add webhook' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'All events' }).click();
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  const shown = page.getByRole('dialog', { name: 'Copy the secret' });
  const secret = (await shown.getByLabel('Secret', { exact: true }).textContent()) ?? '';
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await shown.getByRole('button', { name: 'I’ve copied it' }).click();
  await page.waitForURL('**/members?tab=webhooks&webhook=whk_*');
  return secret;
}

test('creates, tests, resends, disables and deletes a webhook', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'hooks');
  let secret = '';

  await test.step('the empty tab explains webhooks; form and server report errors', async () => {
    await page.goto(`/${slug}/members?tab=webhooks`);
    await expect(page.getByText('No webhooks yet', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Add webhook' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://10.0.0.7/hook');
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByText('Choose at least one event.')).toBeVisible();
    await expect(dialog.getByRole('checkbox').first()).toBeFocused();
    await dialog.getByLabel('URL').fill('');
    await expect(dialog.getByText('Enter the URL of your receiver.')).toBeVisible();
    await dialog.getByLabel('URL').fill('https://10.0.0.7/hook');
    await dialog.getByRole('checkbox', { name: 'cvm.created' }).check();
    await dialog.getByRole('button', { name: 'Add webhook' }).click();
    await expect(dialog.getByText(/points to a private network/).first()).toBeVisible();
    await dialog.getByText('Details', { exact: true }).click();
    await expect(dialog.getByText('ERR-00-005')).toBeVisible();
    await expectAccessible(page);
    await page.goBack();
    await expect(dialog).toBeHidden();
  });

  await test.step('the secret is shown once and signs deliveries', async () => {
    secret = await addWebhook(page, slug, 'Chat of operations');
    expect(secret).toMatch(/^whsec_/);
    await expect(page.getByText(secret)).toHaveCount(0);
    await expect(page.getByText('No deliveries yet')).toBeVisible();
    await page.getByRole('button', { name: 'Send test' }).click();
    const dialog = page.getByRole('dialog', { name: 'cvm.created (test)' });
    await expect(dialog.getByText('Delivered')).toBeVisible();
    await expect(dialog.getByText('Accepted (204).')).toBeVisible();
    await expectAccessible(page);
    const [got] = receiver.received;
    expect(parseWebhookEvent({ headers: got!.headers, body: got!.body, secret }).event).toBe('cvm.created');
    await dialog.getByRole('button', { name: 'Close' }).click();
  });

  await test.step('a failed delivery shows the status but no response text, and succeeds when resent', async () => {
    receiver.answer = (_one, res) => void res.writeHead(500).end('words of the receiver');
    await page.getByRole('button', { name: 'Send test' }).click();
    const dialog = page.getByRole('dialog', { name: 'cvm.created (test)' });
    await expect(dialog.getByText('It returned status 500.')).toBeVisible();
    await expect(dialog.getByText('Failed', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('words of the receiver')).toHaveCount(0);
    receiver.answer = (_one, res) => void res.writeHead(200).end();
    await dialog.getByRole('button', { name: 'Resend' }).click();
    await expect(dialog.getByText('Delivered')).toBeVisible();
    await expect(dialog.getByRole('listitem')).toHaveCount(2);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('row')).toHaveCount(3);
  });

  await test.step('disabled and edited', async () => {
    await page.getByRole('switch', { name: 'Enabled' }).click();
    await expect(
      page.getByText('Events that happen while the webhook is disabled aren’t sent later.'),
    ).toBeVisible();
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menuitem', { name: /Show secret/ })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit webhook' });
    await dialog.getByLabel('Name').fill('Pager');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('heading', { name: 'Pager' })).toBeVisible();
  });

  await test.step('it posts messages to a chat', async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit webhook' });
    const format = dialog.getByLabel('Format');
    await expect(format).toHaveValue('events');
    await format.selectOption({ label: 'Messages for Discord' });
    await expect(dialog.getByText('For a channel’s webhook URL.')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByText('Messages for Discord', { exact: true })).toBeVisible();
    receiver.received.length = 0;
    await page.getByRole('button', { name: 'Send test' }).click();
    const sent = page.getByRole('dialog', { name: 'cvm.created (test)' });
    await expect(sent.getByText('Delivered')).toBeVisible();
    await expect(sent.getByText(/This is a test for team “/)).toBeVisible();
    expect(JSON.parse(receiver.received[0]!.body)).toMatchObject({
      content: expect.stringContaining('CVM “example” was deployed and has booted.'),
    });
    await sent.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: /secret/ })).toHaveCount(0);
    await page.keyboard.press('Escape');
  });

  await test.step('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All webhooks' }).click();
    await expect(page.getByText('Disabled', { exact: true })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.getByRole('link', { name: 'Pager' }).click();
  });

  await test.step('the webhook is deleted', async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('No webhooks yet', { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });
  expect(withoutStatus(complaints, 422)).toEqual([]);
});

test('shows and rotates the secret after confirming with the second factor', async ({ page }) => {
  const complaints = watchConsole(page);
  const { email, slug } = await registerUser(page, 'secretive');
  const { app } = await addAuthenticator(page);
  const first = await addWebhook(page, slug, 'Signed');

  await ageSessions(email);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  await page
    .getByRole('dialog', { name: /^Rotate the secret for / })
    .getByRole('button', { name: 'Rotate' })
    .click();
  const confirm = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expect(confirm.getByLabel('Authenticator code')).toBeVisible();
  await expectAccessible(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let sent = 0;
  await page.route('**/api/v1/auth/step-up', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    sent += 1;
    await held;
    await route.continue();
  });
  // The code submits on its last digit. Meanwhile nothing else is sent, and Escape doesn't refuse the rotation.
  await confirm.getByLabel('Authenticator code').fill(app.next());
  await expect(confirm.getByRole('button', { name: 'Checking…' })).toBeVisible();
  await confirm.getByLabel('Authenticator code').fill('000000');
  await page.keyboard.press('Escape');
  await expect(confirm).toBeVisible();
  release();
  const shown = page.getByRole('dialog', { name: 'Copy the new secret' });
  const second = (await shown.getByLabel('Secret', { exact: true }).textContent()) ?? '';
  expect(second).toMatch(/^whsec_/);
  expect(second).not.toBe(first);
  expect(sent).toBe(1);
  await shown.getByRole('button', { name: 'I’ve copied it' }).click();
  await expect(page.getByText('Previous secret expires')).toBeVisible();

  // A receiver that still verifies with the previous secret accepts the delivery.
  receiver.answer = (one, res) => {
    try {
      parseWebhookEvent({ headers: one.headers, body: one.body, secret: first });
      res.writeHead(200).end();
    } catch {
      res.writeHead(401).end();
    }
  };
  await page.getByRole('button', { name: 'Send test' }).click();
  const dialog = page.getByRole('dialog', { name: 'cvm.created (test)' });
  await expect(dialog.getByText('The receiver still uses the previous secret.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Show secret' }).click();
  await page
    .getByRole('dialog', { name: /^Show the secret for / })
    .getByRole('button', { name: 'Show' })
    .click();
  const both = page.getByRole('dialog', { name: /^Secret for / });
  await expect(both.getByLabel('Secret', { exact: true })).toHaveText(second);
  await expect(both.getByLabel('Previous secret', { exact: true })).toHaveText(first);
  await expectAccessible(page);
  const audit = await callApi<{ data: { action: string }[] }>(page, 'get', `/workspaces/${slug}/audit`);
  expect(audit.data.map(({ action }) => action)).toContain('webhook.reveal_secret');
  expect(withoutStatus(complaints, 428)).toEqual([]);
});

test('adds a webhook for a chat without showing a secret', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'chatty');
  await page.goto(`/${slug}/members?tab=webhooks`);
  await page.getByRole('link', { name: 'Add webhook' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add webhook' });
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByLabel('Format').selectOption({ label: 'Messages for Slack and compatible chats' });
  await expect(dialog.getByText(/Mattermost, Rocket\.Chat or Google Chat/)).toBeVisible();
  await dialog.getByLabel('Name').fill('Operations');
  await dialog.getByRole('checkbox', { name: 'budget.alert' }).check();
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await page.waitForURL('**/members?tab=webhooks&webhook=whk_*');
  await expect(page.getByRole('heading', { name: 'Operations' })).toBeVisible();
  await expect(page.getByText('Secret', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Send test' }).click();
  const sent = page.getByRole('dialog', { name: 'budget.alert (test)' });
  await expect(sent.getByText('Delivered')).toBeVisible();
  expect(JSON.parse(receiver.received[0]!.body)).toEqual({
    text: expect.stringMatching(/^This is a test for team “.*: A budget has reached an alert threshold\./),
  });
  expect(complaints).toEqual([]);
});
