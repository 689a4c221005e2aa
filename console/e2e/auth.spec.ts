import { expect, test, type Page } from '@playwright/test';
import {
  addAuthenticator,
  addPasskey,
  addPasskeyDevice,
  ageSessions,
  apartFrom,
  callApi,
  fillRegistration,
  forgetSession,
  mailedLink,
  onDatabase,
} from './people';
import { expectAccessible, newEmail, PASSWORD, registerInBrowser, signIn, watchConsole } from './support';

test('from registering to a team: the address is confirmed by a press, not by opening the link', async ({
  page,
}) => {
  // Somebody is there already, so that this is not the first account.
  await registerInBrowser(page, 'earlier');
  await forgetSession(page);
  const complaints = watchConsole(page);
  const email = newEmail('fresh');

  await test.step('a weak password is refused with the reason at its field', async () => {
    await page.goto('/register');
    await expect(page).toHaveTitle('Create an account · Teehouse');
    await expectAccessible(page);
    await fillRegistration(page, email, 'short');
    const field = page.getByLabel('Password', { exact: true });
    await expect(field).toBeFocused();
    await expect(page.getByText('5 more characters needed.')).toBeVisible();
    await field.fill('password1234');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAttribute('autocomplete', 'new-password');
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect(field).toHaveAttribute('type', 'text');
  });

  await test.step('a good one sends a link', async () => {
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
    await expect(page.getByText('This server sends no mail.')).toBeVisible();
    await expectAccessible(page);
  });

  const link = await mailedLink(email, 'verify_email');
  await test.step('unconfirmed, one can look around but not deploy', async () => {
    await page.goto('/login');
    await signIn(page, email);
    await expect(page.getByText('Confirm your e-mail address to deploy.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Deploy', exact: true }).first()).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send the link again' }).click();
    await expect(page.getByText('A new link waits in the outbox')).toBeVisible();
  });

  await test.step('the earlier link is worth nothing any more', async () => {
    const newer = await mailedLink(email, 'verify_email');
    expect(newer).not.toBe(link);
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await expect(page.getByRole('heading', { name: 'This link is not valid any more' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Send the link again' })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('opening the newest changes nothing, the press does', async () => {
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
    await expect(page.getByText('Confirm your e-mail address to deploy.')).toBeHidden();
  });
  // The refused password and the spent link.
  expect(apartFrom(complaints, 404, 422)).toEqual([]);
});

test('an address that has an account gets the same answer', async ({ page }) => {
  const { email } = await registerInBrowser(page, 'taken');
  await forgetSession(page);
  await page.goto('/register');
  await fillRegistration(page, email);
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
});

test('signing in with a passkey alone', async ({ page }) => {
  const device = await addPasskeyDevice(page);
  const { slug } = await registerInBrowser(page, 'passkey');
  await addPasskey(page, 'Laptop');
  expect(await device.credentials()).toHaveLength(1);
  await forgetSession(page);
  const complaints = watchConsole(page);
  // The browser's own offer would take it before anybody pressed anything.
  await device.touch(false);
  await page.goto('/login');
  await expect(page.getByLabel('E-mail address')).toHaveAttribute('autocomplete', 'username webauthn');
  const button = page.getByRole('button', { name: 'Sign in with a passkey' });
  await expect(button).toBeEnabled();
  await device.touch(true);
  // On a busy machine the browser's own offer, which waits beside the button, is quicker: the same passkey, the same end.
  await Promise.race([button.click(), page.waitForURL(`**/${slug}`)]);
  await page.waitForURL(`**/${slug}`);
  expect(complaints).toEqual([]);
});

test('next leads nowhere but here', async ({ page }) => {
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
  }
});

test.describe('something dangerous', () => {
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });
  const makeToken = async (page: Page, slug: string, name: string) => {
    await page.goto(`/${slug}/tokens?new=true`);
    const form = page.getByRole('form', { name: 'Create an API token' });
    await form.getByLabel('Name').fill(name);
    await form.getByRole('checkbox').first().check();
    await form.getByRole('button', { name: 'Create token' }).click();
  };
  const made = (page: Page) => page.getByRole('dialog', { name: 'Copy your token' });

  test('asks who is at the screen, then goes on by itself', async ({ page }) => {
    const { email, slug } = await registerInBrowser(page, 'careful');
    const complaints = watchConsole(page);
    await ageSessions(email);
    await makeToken(page, slug, 'ci');
    await expect(dialog(page)).toBeVisible();
    await expect(dialog(page).getByLabel('Your password', { exact: true })).toBeFocused();
    await expectAccessible(page);

    await test.step('a wrong password is said, and nothing happens', async () => {
      await page.keyboard.type('not the password');
      await page.keyboard.press('Enter');
      await expect(dialog(page).getByText('This is not the password of your account.')).toBeVisible();
      await expect(made(page)).toBeHidden();
    });
    await test.step('the right one lets the request through', async () => {
      await dialog(page).getByLabel('Your password', { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await expect(made(page)).toBeVisible();
    });
    await test.step('and for a while nothing is asked', async () => {
      await makeToken(page, slug, 'second');
      await expect(made(page)).toBeVisible();
    });
    await test.step('given up, nothing is made and the form says so', async () => {
      await ageSessions(email);
      await makeToken(page, slug, 'third');
      await expect(dialog(page)).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(
        page.getByText('You did not confirm that it is you, so nothing was changed.'),
      ).toBeVisible();
      await expect(dialog(page)).toBeHidden();
    });
    expect(apartFrom(complaints, 401, 403)).toEqual([]);
  });

  test('takes a passkey first', async ({ page }) => {
    await addPasskeyDevice(page);
    const { email, slug } = await registerInBrowser(page, 'keyholder');
    await addPasskey(page, 'Laptop');
    await ageSessions(email);
    await makeToken(page, slug, 'ci');
    await dialog(page).getByRole('button', { name: 'Use a passkey' }).click();
    await expect(made(page)).toBeVisible();
  });
});

test('a team that asks for a second factor says how to get in, and opens after it', async ({ page }) => {
  test.setTimeout(120_000);
  const { email, slug } = await registerInBrowser(page, 'strict');
  // A page that is open when the rule comes would be refused once.
  await page.goto('about:blank');
  const complaints = watchConsole(page);
  await onDatabase('update teams set require_second_factor = true where slug = $1', [slug]);
  const heading = page.getByRole('heading', { name: /asks for a second factor$/ });

  await page.goto(`/${slug}`);
  await expect(heading).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'Set up a second factor' })).toHaveAttribute(
    'href',
    '/account/settings?section=security',
  );

  // Set up in another window; this session has not shown it in all cases, so signing in anew is offered.
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
  await expect(page.getByText('Nothing runs here yet')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a team’s former address leads to the present one, page and all', async ({ page }) => {
  const { slug } = await registerInBrowser(page, 'moved');
  const now = `${slug}-now`;
  await callApi(page, 'patch', `/workspaces/${slug}`, { data: { slug: now }, team: slug });
  await page.goto(`/${slug}/deploy?x=1`);
  await page.waitForURL(`**/${now}/deploy?x=1`);
  await expect(page.getByRole('heading', { level: 1, name: 'Deploy' })).toBeVisible();
});
