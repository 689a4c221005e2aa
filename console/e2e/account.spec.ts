import { privateKeyToAccount } from 'viem/accounts';
import { addScriptedWallet } from './wallets/scriptedWallet';
import { expect, test, type Page } from './browser';
import { expectTitleOnce } from './walk';
import {
  addPasskeyDevice,
  withoutStatus,
  Authenticator,
  callApi,
  forgetSession,
  mailedLink,
} from './accounts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newEmail,
  PASSWORD,
  registerUser,
  signIn,
  startSession,
  watchConsole,
} from './support';

test.describe.configure({ timeout: 180_000 });

const NEXT_PASSWORD = 'orange ladder beside the river';

const settings = (section?: string) =>
  `/account/settings${section === undefined ? '' : `?section=${section}`}`;

/** The codes are shown only once, so read and keep them. */
async function keepCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(dialog).toBeVisible();
  const codes = await dialog
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .allTextContents();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(dialog).toBeHidden();
  return codes;
}

async function panel(page: Page, title: string) {
  return page.getByRole('region', { name: title });
}

test('changes the name and password and signs out another browser', async ({ page, browser, baseURL }) => {
  const complaints = watchConsole(page);
  const { email } = await registerUser(page, 'settled');
  const elsewhere = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await startSession(elsewhere, email);
  await elsewhere.goto('/');
  await elsewhere.waitForURL((url) => url.pathname !== '/');

  await test.step('saves the name and updates the header', async () => {
    await page.goto(settings());
    await expect(page).toHaveTitle(/^Account settings/);
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByRole('button', { name: 'Save name' }).click();
    await expect(page.getByRole('button', { name: 'Account: Grace Hopper' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a wrong current password shows at its field and keeps the input', async () => {
    await page.getByLabel('Current password', { exact: true }).fill('something else entirely');
    await page.getByLabel('New password', { exact: true }).fill(NEXT_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByLabel('Current password', { exact: true })).toHaveAttribute(
      'aria-invalid',
      'true',
    );
    await expect(page.getByLabel('New password', { exact: true })).toHaveValue(NEXT_PASSWORD);
  });

  await test.step('a breached new password does, too', async () => {
    await page.getByLabel('Current password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('password1234');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByLabel('New password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  });

  await test.step('changing the password signs out the other browser only', async () => {
    await page.getByLabel('New password', { exact: true }).fill(NEXT_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('Password changed')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Change password' })).toBeFocused();
    await expect(page.getByLabel('New password', { exact: true })).toHaveValue('');
    await elsewhere.waitForURL(/\/login/, { timeout: 45_000 });
    await expect(elsewhere.getByText('Your session ended')).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Your name')).toHaveValue('Grace Hopper');
    await signIn(elsewhere, email, NEXT_PASSWORD);
    await elsewhere.waitForURL((url) => url.pathname !== '/login');
  });

  await test.step('ending a session signs out its browser', async () => {
    await page.goto(settings('sessions'));
    await expect(page.getByText('This session')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
    await expect(page.getByText('1 session ended')).toBeVisible();
    await elsewhere.waitForURL(/\/login/, { timeout: 45_000 });
    await expect(page.getByRole('table', { name: 'session' }).getByRole('row')).toHaveCount(2);
  });
  await elsewhere.context().close();
  expect(withoutStatus(complaints, 401, 422)).toEqual([]);
});

test('manages an authenticator app, recovery codes and a passkey', async ({ page }) => {
  const complaints = watchConsole(page);
  const { email, slug } = await registerUser(page, 'careful');
  let app: Authenticator | undefined;
  let codes: string[] = [];

  await test.step('a wrong code doesn’t set up the app', async () => {
    await page.goto(settings('security'));
    await expect(page.getByText('Only a password protects this account.')).toBeVisible();
    await expectAccessible(page);
    await (await panel(page, 'Authenticator app')).getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
    await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible();
    await expectAccessible(page);
    const copy = await dialog.getByRole('button', { name: /^Copy key/ }).getAttribute('aria-label');
    const secret = (copy ?? '').replace('Copy key', '').replaceAll(' ', '');
    app = new Authenticator(secret);
    await dialog.getByLabel('Code', { exact: true }).fill('000000');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog.getByLabel('Code', { exact: true })).toHaveAttribute('aria-invalid', 'true');
    await dialog.getByLabel('Code', { exact: true }).fill(app.next());
    await dialog.getByRole('button', { name: 'Confirm' }).click();
  });

  await test.step('recovery codes are shown once', async () => {
    codes = await keepCodes(page);
    expect(new Set(codes).size).toBe(10);
    await expect(page.getByText('10 codes left.', { exact: false })).toBeVisible();
    await page.reload();
    await expect(page.getByText('10 codes left.', { exact: false })).toBeVisible();
    await expect(page.getByText(codes[0] ?? '', { exact: true })).toHaveCount(0);
  });

  const device = await addPasskeyDevice(page);
  await test.step('adds and renames a passkey', async () => {
    await (await panel(page, 'Passkeys')).getByRole('button', { name: 'Add passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add passkey' });
    await expect(dialog.getByLabel('Name')).toHaveValue(/^Chrome on \w+$/);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect(dialog).toBeHidden();
    const row = page.getByRole('row', { name: /Chrome on/ });
    await expect(row).toBeVisible();
    expect(await device.credentials()).toHaveLength(1);
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Desk');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await expect(page.getByRole('row', { name: /Desk/ })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('generating codes invalidates the old ones', async () => {
    await page.getByRole('button', { name: 'Generate codes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Generate codes' }).click();
    const fresh = await keepCodes(page);
    expect(fresh.some((code) => codes.includes(code))).toBe(false);
    codes = fresh;
  });

  // Without user presence; otherwise the sign-in page would sign in immediately.
  await device.touch(false);
  await test.step('a recovery code signs in and is used up', async () => {
    await forgetSession(page);
    await page.goto('/login');
    await signIn(page, email);
    await page.waitForURL('**/two-factor**');
    await page.getByRole('button', { name: /recovery code/i }).click();
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.startsWith(`/${slug}`));
    await page.goto(settings('security'));
    await expect(page.getByText('9 codes left.', { exact: false })).toBeVisible();
  });

  await test.step('removing both leaves only the password', async () => {
    const row = page.getByRole('row', { name: /Desk/ });
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(row).toHaveCount(0);
    await (await panel(page, 'Authenticator app')).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Only a password protects this account.')).toBeVisible();
  });
  expect(withoutStatus(complaints, 401, 403, 422)).toEqual([]);
});

test('a new address takes effect after both mailboxes confirm', async ({ page, browser, baseURL }) => {
  const { email } = await registerUser(page, 'moving');
  const next = newEmail('moved');
  await page.goto(settings());
  await page.getByLabel('New address').fill(email);
  await page.getByRole('button', { name: 'Change address' }).click();
  await expect(page.getByText('This is already your address.')).toBeVisible();
  await page.getByLabel('New address').fill(next);
  await page.getByRole('button', { name: 'Change address' }).click();
  await expect(page.getByText(`${next} (new)`)).toBeVisible();
  await expectAccessible(page);

  const other = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  for (const [address, template] of [
    [next, 'email_change_confirm_new'],
    [email, 'email_change_confirm_old'],
  ] as const) {
    await other.goto(await mailedLink(address, template));
    await other.getByRole('button', { name: 'Confirm', exact: false }).first().click();
    await expect(other.getByRole('heading', { level: 1 })).not.toHaveText('Confirm your email address');
    await page.reload();
    await expect(page.getByText(address === next ? 'Waiting for both mailboxes' : next)).toBeVisible();
  }
  await expect(page.getByText(`${next} (new)`)).toHaveCount(0);
  await other.goto('/login');
  await signIn(other, next);
  await other.waitForURL((url) => url.pathname !== '/login');
  await other.context().close();
});

test('adds an SSH key, exports data and deletes the account', async ({ page }) => {
  const complaints = watchConsole(page);
  const { email, slug } = await registerUser(page, 'leaving');

  await test.step('rejects a private key before sending it', async () => {
    await page.goto(settings('ssh-keys'));
    await page.getByRole('button', { name: 'Add SSH key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add SSH key' });
    await dialog.getByLabel('Public key').fill('-----BEGIN OPENSSH PRIVATE KEY-----');
    await dialog.getByRole('button', { name: 'Add key' }).click();
    await expect(dialog.getByText(/This is a private key/)).toBeVisible();
    await dialog
      .getByLabel('Public key')
      .fill(
        'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5X8c7tJ0k8h1bJrQm3m1o0xW4k4mYt2nq8s3g6l2uN leaving@laptop',
      );
    await expect(dialog.getByLabel('Name')).toHaveValue('leaving@laptop');
    await dialog.getByRole('button', { name: 'Add key' }).click();
    await expect(page.getByRole('row', { name: /leaving@laptop/ })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the export contains the key', async () => {
    await page.goto(settings('data'));
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^teehouse-account-\d{4}-\d\d-\d\d\.json$/);
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    expect(text).toContain(email);
    expect(text).toContain('leaving@laptop');
  });

  await test.step('deletion requires the address and removes the account', async () => {
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete account…' }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog.getByText(/ is deleted\./)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Delete account' })).toBeDisabled();
    await dialog.getByLabel(/^Type “.*” to confirm$/).fill(email);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.waitForURL(/\/login/);
    await expect(page.getByText('Account deleted')).toBeVisible();
    await signIn(page, email);
    await expect(page.getByText('Wrong email or password.')).toBeVisible();
    await page.goto(`/${slug}`);
    await page.waitForURL(/\/login/);
  });
  expect(withoutStatus(complaints, 401, 404)).toEqual([]);
});

test('every section fits a phone and is in the menu', async ({ page }) => {
  await registerUser(page, 'pocket');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const section of [undefined, 'security', 'sessions', 'ssh-keys', 'wallets', 'data']) {
    await page.goto(settings(section));
    const title = page.getByRole('heading', { level: 1 });
    await expect(title).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await expectTitleOnce(page, section ?? 'profile');
  }
  expect(await callApi<{ email: string }>(page, 'get', '/account')).toHaveProperty('email');
});

test('links a wallet by a signature, and unlinks it', async ({ page }) => {
  const complaints = watchConsole(page);
  // A key known to every development tool; signing needs no chain.
  const account = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
  const wallet = { account, chainId: 1, rejects: true };
  await addScriptedWallet(page, 'http://127.0.0.1:1', wallet);
  await registerUser(page, 'holder');
  await page.goto(settings('wallets'));
  await expect(page.getByText('No wallets yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Link wallet' }).click();
  const dialog = page.getByRole('dialog', { name: 'Link wallet' });
  await dialog.getByRole('button', { name: 'Sign with Scripted wallet' }).click();
  await expect(dialog.getByText('You rejected the request in your wallet.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Sign with Scripted wallet' }).click();
  const row = page.getByRole('row').filter({ hasText: account.address });
  await expect(row).toBeVisible();
  await expectAccessible(page);
  await row.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Unlink' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click();
  await expect(page.getByText('No wallets yet.')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('an account that can’t be deleted shows the reason before the dialog', async ({ page }) => {
  await registerUser(page, 'bound');
  const reason = 'The team still has a CVM.';
  await page.route('**/api/v1/account/deletion', (route) =>
    route.fulfill({ json: { refusal: reason, teams: [] } }),
  );
  await page.goto('/account/settings?section=data');
  await expect(page.getByText(reason).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Delete account…' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
});
