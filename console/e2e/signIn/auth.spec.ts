import { expect, test, type Page } from '../browser';
import {
  addAuthenticator,
  addPasskey,
  addPasskeyDevice,
  ageSessions,
  withoutStatus,
  callApi,
  fillRegistration,
  forgetSession,
  mailedLink,
  onDatabase,
} from '../accounts';
import {
  expectAccessible,
  newEmail,
  PASSWORD,
  registerInBrowser,
  registerUser,
  signIn,
  watchConsole,
} from '../support';

test('registers and confirms the address with a click, not by opening the link', async ({ page }) => {
  // Another account exists, so this one isn't the first.
  await registerUser(page, 'earlier');
  await forgetSession(page);
  const complaints = watchConsole(page);
  const email = newEmail('fresh');

  await test.step('rejects a weak password at its field', async () => {
    await page.goto('/register');
    await expect(page).toHaveTitle('Create an account · Teehouse');
    await expectAccessible(page);
    await fillRegistration(page, email, 'short');
    const field = page.getByLabel('Password', { exact: true });
    await expect(field).toBeFocused();
    await expect(page.getByText('5 more characters needed.')).toBeVisible();
    // Like the first time, although nothing has changed.
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(field).toBeFocused();
    await field.fill('password1234');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByRole('alert')).toContainText('Correct the marked fields.');
    await expect(field).toHaveAttribute('autocomplete', 'new-password');
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect(field).toHaveAttribute('type', 'text');
  });

  await test.step('sends a link for a strong password', async () => {
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await expect(page.getByRole('alert')).toBeHidden();
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await expect(page.getByText('This server doesn’t send email.')).toBeVisible();
    await expectAccessible(page);
  });

  const link = await mailedLink(email, 'verify_email');
  await test.step('an unconfirmed user can look around but not deploy', async () => {
    await page.goto('/login');
    await signIn(page, email);
    await expect(page.getByText('Confirm your email address to deploy.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Deploy', exact: true }).first()).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Resend link' }).click();
    await expect(page.getByText('New link is in the outbox')).toBeVisible();
  });

  await test.step('an earlier link no longer works', async () => {
    const newer = await mailedLink(email, 'verify_email');
    expect(newer).not.toBe(link);
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('heading', { name: 'This link is no longer valid' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Resend link' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the newest link confirms on click, not on opening', async () => {
    const newest = await mailedLink(email, 'verify_email');
    await page.goto(newest);
    await expect(page.getByRole('button', { name: 'Confirm' })).toBeFocused();
    await expectAccessible(page);
    const before = await callApi<{ user: { email_verified: boolean } }>(page, 'get', '/session');
    expect(before.user.email_verified).toBe(false);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Address confirmed' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the console' }).click();
    await expect(
      page
        .getByRole('main')
        .getByRole('link', { name: /deploy/i })
        .first(),
    ).toBeVisible();
    await expect(page.getByText('Confirm your email address to deploy.')).toBeHidden();
  });
  // The rejected password and the used link.
  expect(withoutStatus(complaints, 404, 422)).toEqual([]);
});

test('an address confirmed in another browser ends the registrant’s session and requires a new password', async ({
  page,
  browser,
}) => {
  // Another account exists, so this one isn't the first.
  await registerUser(page, 'before');
  await forgetSession(page);
  const email = newEmail('squatted');
  await page.goto('/register');
  await fillRegistration(page, email);
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await page.goto('/login');
  await signIn(page, email);
  await page.waitForURL((url) => url.pathname !== '/login');

  const context = await browser.newContext();
  const owner = await context.newPage();
  const complaints = watchConsole(owner);
  await owner.goto(new URL(await mailedLink(email, 'verify_email'), page.url()).href);
  await owner.getByRole('button', { name: 'Confirm' }).click();
  await expect(owner.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await expect(owner.getByText('all its sessions were signed out')).toBeVisible();
  await expectAccessible(owner);

  await page.goto('/account/settings');
  await expect(page).toHaveURL(/\/login/);
  await signIn(page, email);
  await expect(page.getByRole('alert')).toBeVisible();

  await owner.getByLabel('New password', { exact: true }).fill('a quite different phrase');
  await owner.getByRole('button', { name: 'Set password' }).click();
  await owner.waitForURL((url) => !/^\/(verify-email|login)/.test(url.pathname));
  await expect(owner.getByText('Confirm your email address to deploy.')).toBeHidden();
  expect(complaints).toEqual([]);
  await context.close();
});

test('an address that has an account gets the same answer', async ({ page }) => {
  const { email } = await registerUser(page, 'taken');
  await forgetSession(page);
  await page.goto('/register');
  await fillRegistration(page, email);
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
});

test('signs in with only a passkey', async ({ page }) => {
  const device = await addPasskeyDevice(page);
  const { slug } = await registerInBrowser(page, 'passkey');
  await addPasskey(page, 'Laptop');
  expect(await device.credentials()).toHaveLength(1);
  await forgetSession(page);
  const complaints = watchConsole(page);
  // The browser's autofill would sign in before the test clicks anything.
  await device.touch(false);
  await page.goto('/login');
  await expect(page.getByLabel('Email address')).toHaveAttribute('autocomplete', 'username webauthn');
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await expect(button).toBeEnabled();
  await device.touch(true);
  // On a busy machine the browser's autofill may sign in first, with the same passkey and the same result.
  await Promise.race([button.click(), page.waitForURL(`**/${slug}`)]);
  await page.waitForURL(`**/${slug}`);
  expect(complaints).toEqual([]);
});

test('next never leads to another site', async ({ page }) => {
  const { email } = await registerInBrowser(page, 'redirected');
  const { origin } = new URL(page.url());
  for (const next of [
    '//evil.example',
    '/\\evil.example',
    'https:evil.example',
    '/%2F/evil.example',
    '/\u0000/x',
  ]) {
    await forgetSession(page);
    await page.goto(`/login?next=${encodeURIComponent(next)}`);
    await signIn(page, email);
    await page.waitForURL((url) => url.pathname !== '/login');
    expect(new URL(page.url()).origin, next).toBe(origin);
    expect(new URL(page.url()).pathname.startsWith('//'), next).toBe(false);
  }
});

test.describe('a sensitive action', () => {
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' });
  const makeToken = async (page: Page, slug: string, name: string) => {
    await page.goto(`/${slug}/tokens?new=true`);
    const form = page.getByRole('form', { name: 'Create API token' });
    await form.getByLabel('Name').fill(name);
    await form.getByRole('checkbox').first().check();
    await form.getByRole('button', { name: 'Create token' }).click();
  };
  const made = (page: Page) => page.getByRole('dialog', { name: 'Copy your token' });

  test('asks for confirmation, then continues automatically', async ({ page }) => {
    const { email, slug } = await registerUser(page, 'careful');
    const complaints = watchConsole(page);
    await ageSessions(email);
    await makeToken(page, slug, 'ci');
    await expect(dialog(page)).toBeVisible();
    await expect(dialog(page).getByLabel('Your password', { exact: true })).toBeFocused();
    await expectAccessible(page);

    await test.step('a wrong password shows an error and changes nothing', async () => {
      await page.keyboard.type('not the password');
      await page.keyboard.press('Enter');
      await expect(dialog(page).getByText('Wrong password.')).toBeVisible();
      await expect(made(page)).toBeHidden();
    });
    await test.step('the right password lets the request through', async () => {
      await dialog(page).getByLabel('Your password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await expect(made(page)).toBeVisible();
    });
    await test.step('later requests need no confirmation for a while', async () => {
      await makeToken(page, slug, 'second');
      await expect(made(page)).toBeVisible();
    });
    await test.step('canceling creates nothing and the form says so', async () => {
      await ageSessions(email);
      await makeToken(page, slug, 'third');
      await expect(dialog(page)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByText('You canceled the confirmation, so nothing was changed.')).toBeVisible();
      await expect(dialog(page)).toBeHidden();
    });
    expect(withoutStatus(complaints, 401, 403)).toEqual([]);
  });

  test('offers a passkey first', async ({ page }) => {
    await addPasskeyDevice(page);
    const { email, slug } = await registerInBrowser(page, 'keyholder');
    await addPasskey(page, 'Laptop');
    await ageSessions(email);
    await makeToken(page, slug, 'ci');
    await dialog(page).getByRole('button', { name: 'Use a passkey' }).click();
    await expect(made(page)).toBeVisible();
  });
});

test('a team that requires a second factor shows how to set one up and opens after it', async ({ page }) => {
  const { email, slug } = await registerUser(page, 'strict');
  // An open page would get a refusal when the policy starts.
  await page.goto('about:blank');
  const complaints = watchConsole(page);
  await onDatabase('update teams set require_second_factor = true where slug = $1', [slug]);
  const heading = page.getByRole('heading', { name: /requires a second factor$/ });

  await page.goto(`/${slug}`);
  await expect(heading).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'Set up a second factor' })).toHaveAttribute(
    'href',
    '/account/settings?section=security',
  );

  // Set up in another window: this session hasn't used the factor, so the page offers to sign in again.
  const { app } = await addAuthenticator(page);
  await onDatabase(
    `update sessions set second_factor_at = null from users
      where users.id = sessions.user_id and users.email = $1`,
    [email],
  );
  await page.goto(`/${slug}`);
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await signIn(page, email);
  await page.getByLabel('Code', { exact: true }).fill(app.next());
  await page.waitForURL(`**/${slug}`);
  await expect(page.getByText('No apps yet')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a former team address redirects to the same page at the current one', async ({ page }) => {
  const { slug } = await registerUser(page, 'moved');
  const now = `${slug}-now`;
  // An open team page would reload once its address is gone.
  await page.goto('about:blank');
  await callApi(page, 'patch', `/workspaces/${slug}`, { data: { slug: now }, team: slug });
  await page.goto(`/${slug}/deploy?x=1`);
  await page.waitForURL(`**/${now}/deploy?x=1`);
  await expect(page.getByRole('heading', { level: 1, name: 'Deploy' })).toBeVisible();
});
