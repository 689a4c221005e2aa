import { expect, test, type Page } from '../browser';
import {
  addAuthenticator,
  addPasskey,
  addPasskeyDevice,
  withoutStatus,
  forgetSession,
  onDatabase,
} from '../accounts';
import { expectAccessible, registerInBrowser, registerUser, signIn, watchConsole } from '../support';

const codeField = (page: Page) => page.getByLabel('Code', { exact: true });

async function begin(page: Page, email: string, next?: string): Promise<void> {
  await page.goto(next === undefined ? '/login' : `/login?next=${encodeURIComponent(next)}`);
  await signIn(page, email);
  await page.waitForURL(/\/two-factor/);
}

test('signs in with an authenticator code once, then with a recovery code once', async ({ page }) => {
  const { email, slug } = await registerUser(page, 'totp');
  const { app, codes } = await addAuthenticator(page);
  await forgetSession(page);
  const complaints = watchConsole(page);

  await test.step('a wrong code uses an attempt, and the password alone opens nothing', async () => {
    await begin(page, email, `/${slug}/deploy`);
    await expect(page).toHaveTitle('Confirm your sign-in · Teehouse');
    await expect(codeField(page)).toBeFocused();
    await expect(codeField(page)).toHaveAttribute('autocomplete', 'one-time-code');
    await expectAccessible(page);
    expect((await page.request.get('/api/v1/auth/me')).status()).toBe(401);
    await codeField(page).fill('000000');
    await expect(page.getByText('That code is wrong or already used.', { exact: false })).toBeVisible();
    await expect(codeField(page)).toBeFocused();
    await expectAccessible(page);
  });

  const code = app.next();
  await test.step('a valid code, pasted with a space, submits automatically and opens the requested page', async () => {
    await codeField(page).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await page.waitForURL(`**/${slug}/deploy`);
  });

  await test.step('a code works once', async () => {
    await forgetSession(page);
    await begin(page, email);
    await codeField(page).fill(code);
    await expect(page.getByText('That code is wrong or already used.', { exact: false })).toBeVisible();
  });

  await test.step('a recovery code replaces it, once', async () => {
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    const field = page.getByLabel('Recovery code', { exact: true });
    await expect(field).toBeFocused();
    await expectAccessible(page);
    await field.fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.waitForURL(`**/${slug}`);

    await forgetSession(page);
    await begin(page, email);
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await field.fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByText('That code is wrong or already used.', { exact: false })).toBeVisible();
  });
  expect(withoutStatus(complaints, 401)).toEqual([]);
});

test('an expired sign-in says so and leads back', async ({ page }) => {
  const { email, slug } = await registerUser(page, 'slow');
  await addAuthenticator(page);
  await forgetSession(page);
  await begin(page, email, `/${slug}/deploy`);
  await onDatabase(
    `update pending_sign_ins set expires_at = now() - interval '1 second' from users
      where users.id = pending_sign_ins.user_id and users.email = $1`,
    [email],
  );
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Sign in again' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Go to sign in' }).click();
  await expect(page).toHaveURL(new RegExp(`/login\\?next=${encodeURIComponent(`/${slug}/deploy`)}`));
});

test('offers a passkey before other second factors', async ({ page }) => {
  const device = await addPasskeyDevice(page);
  const { email, slug } = await registerInBrowser(page, 'second');
  await addPasskey(page, 'Security key');
  await forgetSession(page);
  const complaints = watchConsole(page);
  // Without user presence; otherwise the browser's autofill on the sign-in page would use it.
  await device.touch(false);
  await begin(page, email);
  const button = page.getByRole('button', { name: 'Use a passkey' });
  await expect(button).toBeFocused();
  await expectAccessible(page);
  await device.touch(true);
  await button.click();
  await page.waitForURL(`**/${slug}`);
  expect(complaints).toEqual([]);
});
