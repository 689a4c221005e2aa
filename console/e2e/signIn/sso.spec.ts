import { expect, test } from '../browser';
import { startDnsServer, type TestDns } from '../../../server/testing/dnsServer';
import { startOidcProvider, type TestProvider } from '../../../server/testing/oidcProvider';
import { onDatabase } from '../accounts';
import { expectAccessible, expectNoSidewaysScroll, registerUser, signIn, watchConsole } from '../support';

/** A team owner sets up single sign-on; a new member signs in with it. */

let dns: TestDns;
let provider: TestProvider;
test.beforeAll(async ({ baseURL }) => {
  test.skip(process.env.E2E_DNS_PORT === undefined, 'the server under test asks no DNS server of ours');
  dns = await startDnsServer(Number(process.env.E2E_DNS_PORT));
  provider = await startOidcProvider({ redirect_uris: [`${baseURL}/api/v1/auth/sso/callback`] });
});
test.afterAll(async () => {
  await provider?.close();
  await dns?.close();
});

test('sets up, requires and removes single sign-on', async ({ page, browser }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'sso-owner');
  const domain = `corp-${Math.random().toString(36).slice(2, 8)}.test`;
  const panel = page.getByRole('region', { name: 'Single sign-on' });

  await test.step('the owner enters the provider and checks it', async () => {
    await page.goto(`/${slug}/members?tab=security`);
    await expect(panel.getByText('Not set up')).toBeVisible();
    await panel.getByRole('button', { name: 'Set up single sign-on' }).click();
    await expect(panel.getByRole('button', { name: /\/api\/v1\/auth\/sso\/callback/ })).toBeVisible();
    const form = panel.getByRole('form', { name: 'Sign-in provider' });
    await form.getByRole('button', { name: 'Save and continue' }).click();
    await expect(form.getByText('Enter the issuer.')).toBeVisible();

    await form.getByLabel('Issuer').fill(provider.issuer.replace('127.0.0.1', 'localhost'));
    await form.getByRole('button', { name: 'Check' }).click();
    await expect(
      panel.getByText(`The provider’s issuer is ${provider.issuer}`, { exact: false }),
    ).toBeVisible();
    await form.getByLabel('Issuer').fill(provider.issuer);
    await form.getByRole('button', { name: 'Check' }).click();
    await expect(panel.getByText('The provider checks PKCE with S256.')).toBeVisible();

    await form.getByLabel('Client ID').fill(provider.client_id);
    await form.getByLabel(/^Client secret/).fill(provider.client_secret);
    await form.getByLabel('Email domain').fill('gmail.com');
    await form.getByRole('button', { name: 'Save and continue' }).click();
    await expect(form.getByText(/no team can claim it/).first()).toBeVisible();
    await form.getByLabel('Email domain').fill(domain);
    await form.getByRole('button', { name: 'Save and continue' }).click();
    await expect(panel.getByText('Domain not verified')).toBeVisible();
    await expect(form.getByLabel(/^Client secret/)).toHaveValue('');
    await expectAccessible(page);
  });

  await test.step('the domain is verified through DNS', async () => {
    await panel.getByRole('button', { name: 'Verify' }).click();
    await expect(panel.getByText(/There is no TXT record at/)).toBeVisible();
    const { connection } = (await (await page.request.get(`/api/v1/workspaces/${slug}/sso`)).json()) as {
      connection: { txt_name: string; txt_value: string };
    };
    await expect(panel.getByText(connection.txt_value).first()).toBeVisible();
    dns.txt.set(connection.txt_name, [[connection.txt_value]]);
    await panel.getByRole('button', { name: 'Verify' }).click();
    await expect(panel.getByText('Ready', { exact: true })).toBeVisible();
  });

  await test.step('a provider group maps to a role', async () => {
    const form = panel.getByRole('form', { name: 'Roles from the provider' });
    await form.getByRole('button', { name: 'Add a rule' }).click();
    await form.getByRole('button', { name: 'Add a rule' }).click();
    await form.getByRole('button', { name: 'Remove rule 2' }).press('Enter');
    await expect(form.getByRole('button', { name: 'Remove rule 1' })).toBeFocused();
    await form.getByRole('button', { name: 'Save roles' }).click();
    await expect(form.getByText('Enter a value, or remove the rule.')).toBeVisible();
    await form.getByLabel('Value 1').fill('dev');
    await form.getByLabel('Role 1').selectOption('member');
    await form.getByRole('button', { name: 'Save roles' }).click();
    await expect(form.getByText(/Enter the claim that contains the values/)).toBeVisible();
    await form.getByLabel('Claim').fill('groups');
    await form.getByRole('button', { name: 'Save roles' }).click();
    await expect(page.getByText('Roles saved').first()).toBeVisible();
  });

  const ada = {
    sub: `ada-${domain}`,
    email: `ada@${domain}`,
    email_verified: true,
    name: 'Ada',
    groups: ['dev'],
  };
  provider.accounts.set(ada.sub, ada);
  const context = await browser.newContext();
  const visitor = await context.newPage();

  await test.step('a new user signs in through the provider and joins the team', async () => {
    await visitor.goto('/login');
    await visitor.getByLabel('Email address').fill(ada.email);
    await visitor.getByRole('button', { name: 'Single sign-on' }).click();
    await visitor.getByLabel('Login').fill(ada.sub);
    await visitor.getByRole('button', { name: 'Continue' }).click();
    await visitor.waitForURL(`**/${slug}`);
    const session = (await (await visitor.request.get('/api/v1/session')).json()) as {
      user: { email: string };
      teams: { slug: string; role: string }[];
    };
    expect(session).toMatchObject({ user: { email: ada.email }, teams: [{ slug, role: 'member' }] });
  });

  await test.step('canceling at the provider shows the reason here', async () => {
    const other = await (await browser.newContext()).newPage();
    await other.goto('/login');
    await other.getByLabel('Email address').fill('nobody@elsewhere.test');
    await other.getByRole('button', { name: 'Single sign-on' }).click();
    await expect(
      other.getByText(/No team uses single sign-on for addresses at elsewhere\.test/),
    ).toBeVisible();
    await other.getByLabel('Email address').fill(ada.email);
    await other.getByRole('button', { name: 'Single sign-on' }).click();
    await other.getByRole('button', { name: 'Cancel' }).click();
    await other.waitForURL(/\/login\?/);
    await expect(other.getByText('The sign-in was canceled at the provider.')).toBeVisible();
    await expectAccessible(other);
    await other.context().close();
  });

  await test.step('the owner lets the provider remove members', async () => {
    await page.reload();
    await panel.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Copy the SCIM token' });
    const token = /thk_scim_[0-9A-Za-z]{38}/.exec((await dialog.textContent()) ?? '')?.[0] ?? '';
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'I’ve copied it' }).click();
    await expect(panel.getByText('Not yet')).toBeVisible();
    const sent = await page.request.get('/scim/v2/Users', { headers: { authorization: `Bearer ${token}` } });
    expect(sent.status()).toBe(200);
    await page.reload();
    await expect(panel.getByText('Last used')).toBeVisible();
    await expect(panel.getByText('Not yet')).toBeHidden();
    await panel.getByRole('button', { name: 'Revoke token…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke token' }).click();
    await expect(panel.getByRole('button', { name: 'Create token' })).toBeVisible();
  });

  await test.step('the owner requires it', async () => {
    await page.reload();
    await panel.getByLabel('Require single sign-on').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Require/ })
      .click();
    await expect(panel.getByText('Required', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 720 });
    // Sessions opened through the provider keep working.
    await visitor.reload();
    await expect(visitor).toHaveURL(new RegExp(`/${slug}$`));
  });

  await test.step('the session can’t open account settings', async () => {
    await visitor.goto('/account/settings?section=security');
    await expect(visitor.getByText('Sign in with your own password or passkey.')).toBeVisible();
    await expectAccessible(visitor);
    await visitor.goto('/account/settings');
    await expect(visitor.getByText('Sign in with your own password or passkey.')).toBeVisible();
    await expect(visitor.getByLabel('Your name')).toBeDisabled();
    await expectAccessible(visitor);
    await visitor.goto(`/${slug}`);
  });

  await test.step('an existing user confirms, sees and removes the link', async () => {
    const own = await (await browser.newContext()).newPage();
    const { email: before } = await registerUser(own, 'sso-existing');
    const email = `existing@${domain}`;
    await onDatabase('update users set email = $2 where email = $1', [before, email]);
    provider.accounts.set('existing', { sub: 'existing', email, email_verified: true });
    // An open page would notice that its session has ended, and open the sign-in page.
    await own.goto('about:blank');
    await own.context().clearCookies();
    await own.goto('/login');
    await own.getByLabel('Email address').fill(email);
    await own.getByRole('button', { name: 'Single sign-on' }).click();
    await own.getByLabel('Login').fill('existing');
    await own.getByRole('button', { name: 'Continue' }).click();
    await own.waitForURL(/\/login\?next=/);
    await signIn(own, email);
    await expect(own.getByRole('heading', { name: 'Link your account' })).toBeVisible();
    await expectAccessible(own);
    await own.getByRole('button', { name: /^Link and open/ }).click();
    await own.waitForURL(`**/${slug}`);

    await own.goto('/account/settings?section=sso');
    const row = own.getByRole('row').filter({ hasText: domain });
    await expect(row).toBeVisible();
    await expectAccessible(own);
    await row.getByRole('button', { name: /^Actions/ }).click();
    await own.getByRole('menuitem', { name: 'Unlink' }).click();
    await own.getByRole('alertdialog').getByRole('button', { name: 'Unlink' }).click();
    await expect(own.getByText(/^No linked providers/)).toBeVisible();
    await own.context().close();
  });

  await test.step('the owner removes it', async () => {
    await panel.getByRole('button', { name: 'Remove…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill(domain);
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(panel.getByText('Not set up')).toBeVisible();
  });
  await context.close();
  // The browser logs error responses on its own.
  expect(complaints.filter((text) => !/status of 4(22|01)/.test(text))).toEqual([]);
});
