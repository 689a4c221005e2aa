import { expect, test, type Page } from '@playwright/test';
import { addPasskeyDevice, apartFrom, Authenticator, callApi, forgetSession, mailedLink } from './people';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newEmail,
  PASSWORD,
  registerInBrowser,
  signIn,
  watchConsole,
} from './support';

test.describe.configure({ timeout: 180_000 });

const NEXT_PASSWORD = 'orange ladder beside the river';

const settings = (section?: string) =>
  `/account/settings${section === undefined ? '' : `?section=${section}`}`;

/** The codes are shown this once: read, kept, and gone. */
async function keepCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Keep your recovery codes' });
  await expect(dialog).toBeVisible();
  const codes = await dialog
    .getByRole('list', { name: 'Recovery codes' })
    .getByRole('listitem')
    .allTextContents();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await expect(dialog).toBeHidden();
  return codes;
}

async function panel(page: Page, title: string) {
  return page.getByRole('region', { name: title });
}

test('name, password and the other browser', async ({ page, browser, baseURL }) => {
  const complaints = watchConsole(page);
  const { email } = await registerInBrowser(page, 'settled');
  const elsewhere = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await elsewhere.goto('/login');
  await signIn(elsewhere, email);
  await elsewhere.waitForURL((url) => url.pathname !== '/login');

  await test.step('the name is kept, and the header knows it', async () => {
    await page.goto(settings());
    await expect(page).toHaveTitle(/^Account settings/);
    await page.getByLabel('Your name').fill('Grace Hopper');
    await page.getByRole('button', { name: 'Save name' }).click();
    await expect(page.getByRole('button', { name: 'Account: Grace Hopper' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a wrong present password is said at its field, what was typed stays', async () => {
    await page.getByLabel('Present password', { exact: true }).fill('something else entirely');
    await page.getByLabel('New password', { exact: true }).fill(NEXT_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByLabel('Present password', { exact: true })).toHaveAttribute(
      'aria-invalid',
      'true',
    );
    await expect(page.getByLabel('New password', { exact: true })).toHaveValue(NEXT_PASSWORD);
  });

  await test.step('a breached one too', async () => {
    await page.getByLabel('Present password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill('password1234');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByLabel('New password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  });

  await test.step('changed, the other browser is signed out and this one is not', async () => {
    await page.getByLabel('New password', { exact: true }).fill(NEXT_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('Password changed')).toBeVisible();
    await elsewhere.waitForURL(/\/login/, { timeout: 15_000 });
    await page.reload();
    await expect(page.getByLabel('Your name')).toHaveValue('Grace Hopper');
    await signIn(elsewhere, email, NEXT_PASSWORD);
    await elsewhere.waitForURL((url) => url.pathname !== '/login');
  });

  await test.step('a session ended here ends there', async () => {
    await page.goto(settings('sessions'));
    await expect(page.getByText('This one')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
    await expect(page.getByText('1 session ended')).toBeVisible();
    await elsewhere.waitForURL(/\/login/, { timeout: 15_000 });
    await expect(page.getByRole('table', { name: 'session' }).getByRole('row')).toHaveCount(2);
  });
  await elsewhere.context().close();
  expect(apartFrom(complaints, 401, 422)).toEqual([]);
});

test('an authenticator app, recovery codes and a passkey', async ({ page }) => {
  const complaints = watchConsole(page);
  const { email, slug } = await registerInBrowser(page, 'careful');
  let app: Authenticator | undefined;
  let codes: string[] = [];

  await test.step('a wrong code sets nothing up', async () => {
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

  await test.step('the codes are shown this once', async () => {
    codes = await keepCodes(page);
    expect(new Set(codes).size).toBe(10);
    await expect(page.getByText('10 codes are left.', { exact: false })).toBeVisible();
    await page.reload();
    await expect(page.getByText('10 codes are left.', { exact: false })).toBeVisible();
    await expect(page.getByText(codes[0] ?? '', { exact: true })).toHaveCount(0);
  });

  const device = await addPasskeyDevice(page);
  await test.step('a passkey, renamed', async () => {
    await (await panel(page, 'Passkeys')).getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
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

  await test.step('new codes end the old ones', async () => {
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click();
    const fresh = await keepCodes(page);
    expect(fresh.some((code) => codes.includes(code))).toBe(false);
    codes = fresh;
  });

  // Nobody touches the device: the sign-in page would let it in at once.
  await device.touch(false);
  await test.step('signing in asks for it; a recovery code opens, and is one less', async () => {
    await forgetSession(page);
    await page.goto('/login');
    await signIn(page, email);
    await page.waitForURL('**/two-factor**');
    await page.getByRole('button', { name: /recovery code/i }).click();
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname.startsWith(`/${slug}`));
    await page.goto(settings('security'));
    await expect(page.getByText('9 codes are left.', { exact: false })).toBeVisible();
  });

  await test.step('both removed, the password stands alone again', async () => {
    const row = page.getByRole('row', { name: /Desk/ });
    await row.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(row).toHaveCount(0);
    await (await panel(page, 'Authenticator app')).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Only a password protects this account.')).toBeVisible();
  });
  expect(apartFrom(complaints, 401, 403, 422)).toEqual([]);
});

test('a new address counts when both mailboxes have said so', async ({ page, browser, baseURL }) => {
  const { email } = await registerInBrowser(page, 'moving');
  const next = newEmail('moved');
  await page.goto(settings());
  await page.getByLabel('New address').fill(email);
  await page.getByRole('button', { name: 'Change address' }).click();
  await expect(page.getByText('That is your address already.')).toBeVisible();
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
    await expect(other.getByRole('heading', { level: 1 })).not.toHaveText('Confirm your e-mail address');
    await page.reload();
    await expect(page.getByText(address === next ? 'Waiting for both mailboxes' : next)).toBeVisible();
  }
  await expect(page.getByText(`${next} (new)`)).toHaveCount(0);
  await other.goto('/login');
  await signIn(other, next);
  await other.waitForURL((url) => url.pathname !== '/login');
  await other.context().close();
});

test('SSH keys, the export, and the end of an account', async ({ page }) => {
  const complaints = watchConsole(page);
  const { email, slug } = await registerInBrowser(page, 'leaving');

  await test.step('a private key is refused before it is sent', async () => {
    await page.goto(settings('ssh-keys'));
    await page.getByRole('button', { name: 'Add a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add an SSH key' });
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

  await test.step('the export has it', async () => {
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

  await test.step('deleting asks for the address, and then nothing is left', async () => {
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete account…' }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog.getByRole('button', { name: 'Delete account' })).toBeDisabled();
    await dialog.getByLabel('Type the name to confirm').fill(email);
    await dialog.getByRole('button', { name: 'Delete account' }).click();
    await page.waitForURL('**/login');
    await signIn(page, email);
    await expect(page.getByText('E-mail address and password do not belong together.')).toBeVisible();
    await page.goto(`/${slug}`);
    await page.waitForURL(/\/login/);
  });
  expect(apartFrom(complaints, 401, 404)).toEqual([]);
});

test('every section fits a phone, and the menu leads there', async ({ page }) => {
  await registerInBrowser(page, 'pocket');
  await page.setViewportSize({ width: 390, height: 844 });
  for (const section of [undefined, 'security', 'sessions', 'ssh-keys', 'data']) {
    await page.goto(settings(section));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  expect(await callApi<{ email: string }>(page, 'get', '/account')).toHaveProperty('email');
});
