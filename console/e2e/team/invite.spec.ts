import { expect, test, type Page } from '../browser';
import { withoutStatus, callApi, forgetSession, mailedLink, onDatabase } from '../accounts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  newEmail,
  PASSWORD,
  registerUser,
  signIn,
  watchConsole,
} from '../support';
import { openAside } from '../walk';

interface Invited {
  id: string;
}

const invite = (page: Page, slug: string, email: string, role: string) =>
  callApi<Invited>(page, 'post', `/workspaces/${slug}/invitations`, { data: { email, role }, team: slug });

test('a new user joins while the inviter watches', async ({ page, browser, baseURL }) => {
  const { slug } = await registerUser(page, 'inviter');
  await page.goto(`/${slug}/members`);
  const guests = await browser.newContext({ baseURL: baseURL ?? '' });
  const guest = await guests.newPage();
  const complaints = watchConsole(guest);
  const email = newEmail('guest');
  await invite(page, slug, email, 'viewer');

  await guest.goto(await mailedLink(email, 'invitation'));
  await expect(guest.getByRole('heading', { name: /^Join / })).toBeVisible();
  await expect(guest.getByText('Viewer', { exact: true })).toBeVisible();
  await expect(guest.getByLabel('Email address')).toHaveValue(email);
  await expect(guest.getByLabel('Email address')).toHaveAttribute('readonly', '');
  await guest.getByText(/^Everything a viewer can do/).click();
  await expectAccessible(guest);
  await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await guest.getByRole('button', { name: 'Create account and join' }).click();
  await guest.waitForURL(`**/${slug}`);
  // For a viewer, the deploy button explains why it is disabled.
  await expect(guest.getByRole('button', { name: 'Deploy', exact: true }).first()).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await guest.goto(`/${slug}/deploy`);
  const refusal = guest.getByText('You can’t deploy in this team.');
  await expect(refusal).toBeInViewport();
  const name = guest.getByLabel('Name', { exact: true });
  await expect(name).toBeDisabled();
  expect((await refusal.boundingBox())?.y).toBeLessThan((await name.boundingBox())?.y ?? 0);
  await expect(guest.getByText('This form is read-only.')).toBeVisible();
  // Instead of a placeholder for a price that is never requested.
  await openAside(guest);
  await expect(guest.getByText('Only roles that can deploy see the cost.')).toBeVisible();
  await expectAccessible(guest);
  // The inviter's open page shows the new member.
  await expect(page.getByText(email).first()).toBeVisible();
  expect(complaints).toEqual([]);
  await guests.close();
});

test('an existing user joins: signed in as another user, signed out, signed in', async ({
  page,
  browser,
  baseURL,
}) => {
  const { slug } = await registerUser(page, 'host');
  await onDatabase('update teams set name = $1 where slug = $2', ['x'.repeat(100), slug]);
  const guests = await browser.newContext({ baseURL: baseURL ?? '' });
  const guest = await guests.newPage();
  const complaints = watchConsole(guest);
  const { email } = await registerUser(guest, 'known');
  await forgetSession(guest);
  const { email: otherEmail } = await registerUser(guest, 'another');
  await invite(page, slug, email, 'member');
  const link = await mailedLink(email, 'invitation');

  await test.step('signed in as another user: offers to switch accounts', async () => {
    await guest.goto(link);
    await expect(guest.getByText(`You’re signed in as ${otherEmail}`, { exact: false })).toBeVisible();
    await expect(guest.getByRole('button', { name: /^Join / })).toBeHidden();
    await expectAccessible(guest);
    await guest.getByRole('button', { name: 'Switch account' }).click();
  });
  await test.step('signed out: signs in and returns', async () => {
    await guest.getByRole('link', { name: 'Sign in to join' }).click();
    await guest.waitForURL(/\/login\?next=/);
    await signIn(guest, email);
    await guest.waitForURL(`**${link}`);
  });
  await test.step('signed in: joins with a click', async () => {
    await guest.setViewportSize({ width: 390, height: 844 });
    await expect(guest.getByRole('button', { name: /^Join / })).toBeVisible();
    await expectNoSidewaysScroll(guest);
    await expectAccessible(guest);
    await guest.getByRole('button', { name: /^Join / }).click();
    await guest.waitForURL(`**/${slug}`);
  });
  await test.step('the link no longer works', async () => {
    await guest.goto(link);
    await expect(guest.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible();
    await expectAccessible(guest);
  });
  expect(withoutStatus(complaints, 404)).toEqual([]);
  await guests.close();
});

test('an invitation is declined, another revoked', async ({ page, browser, baseURL }) => {
  const { slug } = await registerUser(page, 'asker');
  const guests = await browser.newContext({ baseURL: baseURL ?? '' });
  const guest = await guests.newPage();

  const declining = newEmail('declining');
  await invite(page, slug, declining, 'member');
  await guest.goto(await mailedLink(declining, 'invitation'));
  await guest.getByRole('button', { name: 'Decline' }).click();
  await expect(guest.getByRole('heading', { name: 'Invitation declined' })).toBeVisible();
  await expectAccessible(guest);

  const late = newEmail('late');
  const { id } = await invite(page, slug, late, 'member');
  const link = await mailedLink(late, 'invitation');
  // An account that was created elsewhere meanwhile leads to sign-in.
  await guest.goto(link);
  await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await fetch(`${baseURL}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: new URL(baseURL ?? '').origin },
    body: JSON.stringify({ email: late, password: PASSWORD }),
  });
  await guest.getByRole('button', { name: 'Create account and join' }).click();
  await expect(guest.getByRole('link', { name: 'Sign in to join' })).toBeVisible();
  await callApi(page, 'delete', `/workspaces/${slug}/invitations/${id}`, { team: slug });
  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible();
  await guests.close();
});
