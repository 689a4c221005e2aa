import { expect, test } from '@playwright/test';
import { startDnsServer, type TestDns } from '../../server/testing/dnsServer';
import { startOidcProvider, type TestProvider } from '../../server/testing/oidcProvider';
import { expectAccessible, expectNoSidewaysScroll, registerInBrowser, watchConsole } from './support';

/** The owner of a team sets single sign-on up; somebody new comes in by it. */

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

test('single sign-on, from nothing to required', async ({ page, browser }) => {
  test.setTimeout(180_000);
  const complaints = watchConsole(page);
  const { slug } = await registerInBrowser(page, 'sso-owner');
  const domain = `corp-${Math.random().toString(36).slice(2, 8)}.test`;
  const panel = page.getByRole('region', { name: 'Single sign-on' });

  await test.step('the owner enters the provider and has it checked', async () => {
    await page.goto(`/${slug}/members?tab=security`);
    await expect(panel.getByText('Not set up')).toBeVisible();
    await panel.getByRole('button', { name: 'Set up single sign-on' }).click();
    await expect(panel.getByRole('button', { name: /\/api\/v1\/auth\/sso\/callback/ })).toBeVisible();
    const form = panel.getByRole('form', { name: 'Sign-in provider' });
    await form.getByRole('button', { name: 'Save and go on' }).click();
    await expect(form.getByText('Enter the issuer.')).toBeVisible();

    await form.getByLabel('Issuer').fill(provider.issuer.replace('127.0.0.1', 'localhost'));
    await form.getByRole('button', { name: 'Check' }).click();
    await expect(
      panel.getByText(`The provider calls itself ${provider.issuer}`, { exact: false }),
    ).toBeVisible();
    await form.getByLabel('Issuer').fill(provider.issuer);
    await form.getByRole('button', { name: 'Check' }).click();
    await expect(panel.getByText('The provider checks PKCE with S256.')).toBeVisible();

    await form.getByLabel('Client ID').fill(provider.client_id);
    await form.getByLabel(/^Client secret/).fill(provider.client_secret);
    await form.getByLabel('E-mail domain').fill('gmail.com');
    await form.getByRole('button', { name: 'Save and go on' }).click();
    await expect(form.getByText(/no team can claim it/).first()).toBeVisible();
    await form.getByLabel('E-mail domain').fill(domain);
    await form.getByRole('button', { name: 'Save and go on' }).click();
    await expect(panel.getByText('Domain not verified')).toBeVisible();
    await expect(form.getByLabel(/^Client secret/)).toHaveValue('');
    await expectAccessible(page);
  });

  await test.step('the domain is proved by DNS', async () => {
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

  await test.step('a group of the provider gives a role', async () => {
    const form = panel.getByRole('form', { name: 'Roles from the provider' });
    await form.getByRole('button', { name: 'Add a rule' }).click();
    await form.getByLabel('Value 1').fill('dev');
    await form.getByLabel('Role 1').selectOption('member');
    await form.getByRole('button', { name: 'Save roles' }).click();
    await expect(form.getByText(/Say in which claim/)).toBeVisible();
    await form.getByLabel('Claim').fill('groups');
    await form.getByRole('button', { name: 'Save roles' }).click();
    await expect(page.getByText('The roles are kept').first()).toBeVisible();
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

  await test.step('somebody new signs in through it and lands in the team', async () => {
    await visitor.goto('/login');
    await visitor.getByLabel('E-mail address').fill(ada.email);
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

  await test.step('who presses cancel there is told so here', async () => {
    const other = await (await browser.newContext()).newPage();
    await other.goto('/login');
    await other.getByLabel('E-mail address').fill('nobody@elsewhere.test');
    await other.getByRole('button', { name: 'Single sign-on' }).click();
    await expect(other.getByText(/No team signs in addresses at elsewhere\.test/)).toBeVisible();
    await other.getByLabel('E-mail address').fill(ada.email);
    await other.getByRole('button', { name: 'Single sign-on' }).click();
    await other.getByRole('button', { name: 'Cancel' }).click();
    await other.waitForURL(/\/login\?/);
    await expect(other.getByText('The sign-in was broken off at the provider.')).toBeVisible();
    await expectAccessible(other);
    await other.context().close();
  });

  await test.step('the owner requires it, and removes it', async () => {
    await page.reload();
    await panel.getByLabel('Require single sign-on').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Require it' }).click();
    await expect(panel.getByText('Required', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 720 });
    // Who came through the provider is not disturbed.
    await visitor.reload();
    await expect(visitor).toHaveURL(new RegExp(`/${slug}$`));

    await panel.getByRole('button', { name: 'Remove…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill(domain);
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(panel.getByText('Not set up')).toBeVisible();
  });
  await context.close();
  // The browser notes by itself that an answer was an error.
  expect(complaints.filter((text) => !/status of 4(22|01)/.test(text))).toEqual([]);
});
