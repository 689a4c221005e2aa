import { expect, test } from '../browser';
import { addAuthenticator, withoutStatus, forgetSession, mailedLink } from '../accounts';
import { expectAccessible, newEmail, PASSWORD, registerUser, signIn, watchConsole } from '../support';

const NEW_PASSWORD = 'seven lanterns over the ferry';

test('a reset link works once and keeps the second factor', async ({ page, browser, baseURL }) => {
  const { email, slug } = await registerUser(page, 'forgetful');
  const { app } = await addAuthenticator(page);
  const next = `/${slug}/tokens`;
  const complaints = watchConsole(page);
  const elsewhere = await browser.newContext({ baseURL: baseURL ?? '' });
  const other = await elsewhere.newPage();

  await test.step('the same answer for every address', async () => {
    for (const address of [newEmail('nobody'), email]) {
      await other.goto(`/login?next=${encodeURIComponent(next)}`);
      await other.getByLabel('Email address').fill(address);
      await other.getByRole('link', { name: 'Forgot your password?' }).click();
      await expect(other).toHaveTitle('Reset your password · Teehouse');
      await expectAccessible(other);
      await expect(other.getByLabel('Email address')).toHaveValue(address);
      await other.getByRole('button', { name: 'Send reset link' }).click();
      await expect(other.getByText(`If ${address} has an account`, { exact: false })).toBeVisible();
    }
    await expectAccessible(other);
    await other.getByRole('button', { name: 'Use another address' }).click();
    await expect(other.getByLabel('Email address')).toBeFocused();
  });

  const link = await mailedLink(email, 'reset_password');
  await test.step('a new password, then the second factor', async () => {
    await other.goto(link);
    await expect(other.getByLabel('Account')).toHaveValue(email);
    await expect(other.getByLabel('New password', { exact: true })).toBeFocused();
    await expectAccessible(other);
    await other.getByLabel('New password', { exact: true }).fill('short');
    await other.keyboard.press('Enter');
    await expect(other.getByText('5 more characters needed.')).toBeVisible();
    await other.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await other.keyboard.press('Enter');
    await other.waitForURL(/\/two-factor/);
    await other.getByLabel('Code', { exact: true }).fill(app.next());
    await other.waitForURL(`**${next}`);
  });

  await test.step('every earlier session has ended', async () => {
    await page.goto(`/${slug}`);
    await page.waitForURL(/\/login/);
  });
  await test.step('the link and the old password no longer work', async () => {
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
    await expectAccessible(page);
    await page.goto('/login');
    await signIn(page, email, PASSWORD);
    await expect(page.getByText('Wrong email or password.')).toBeVisible();
  });
  await forgetSession(other);
  await elsewhere.close();
  expect(withoutStatus(complaints, 401, 404)).toEqual([]);
});
