import { financeActionTexts } from '../../lib/billing/financeActions';
import { loadConfig } from '../../../server/config';
import { connectRunning } from '../../../server/db/core/embedded';
import { expect, test } from '../browser';
import { registerOn, startOwnServer, type OwnServer } from '../ownServer';
import { expectAccessible, expectNoSidewaysScroll, PASSWORD, watchConsole } from '../support';

/* Finance staff on a server with an approval limit: one requests, another approves. */

let server: OwnServer;
test.beforeAll(async () => {
  server = await startOwnServer({ LOCAL_TEEPOD_ENGINE: 'simulate', BILLING_APPROVAL_LIMIT: '100' });
});
test.afterAll(() => server?.stop());

async function makeAdmin(email: string): Promise<void> {
  const database = await connectRunning(loadConfig({ DATA_DIR: server.dataDir }), 'a browser test');
  try {
    await database.pool.query(
      `update users set platform_role = 'admin', state = 'active', email_verified_at = now() where email = $1`,
      [email],
    );
  } finally {
    await database.stop();
  }
}

test('a credit above the limit waits until another administrator approves it', async ({ browser }) => {
  const first = await (await browser.newContext({ baseURL: server.url })).newPage();
  const second = await (await browser.newContext({ baseURL: server.url })).newPage();
  // Both lists are filled while the test runs, so they must not be copied here.
  const complaints = [watchConsole(first), watchConsole(second)];
  await registerOn(server, first, 'asks');
  const approver = await registerOn(server, second, 'approves');
  await makeAdmin(approver);
  const session = await second.request.post(`${server.url}/api/v1/auth/session`, {
    data: { email: approver, password: PASSWORD },
    headers: { Origin: server.url },
  });
  expect(session.ok()).toBe(true);

  await test.step('the request has its own page, where its requester can only withdraw it', async () => {
    await first.goto('/admin/credits/create');
    await first.getByLabel(/^Team/).click();
    await first.getByRole('option').first().click();
    await first.getByLabel(/^Amount/).fill('250');
    await first.getByLabel(/^Reason/).fill('Sorry for the outage');
    await first.getByRole('button', { name: 'Grant credit' }).click();
    await first.waitForURL('**/admin/finance-actions/*');
    await expect(first.getByText('Another administrator must approve it.')).toBeVisible();
    await expect(first.getByRole('main').getByText('$250.00').first()).toBeVisible();
    await expect(first.getByText('Waiting for another administrator')).toBeVisible();
    await expect(first.getByRole('button', { name: 'Reject…' })).toBeVisible();
    await expect(first.getByRole('button', { name: 'Approve…' })).toHaveCount(0);
    await expectAccessible(first);
    await first.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(first);
    await first.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('another administrator finds and approves it', async () => {
    await second.goto('/admin');
    await expect(
      second.getByRole('link', { name: '1 finance action is waiting for approval' }),
    ).toBeVisible();
    await second.goto('/admin/finance-actions');
    await expect(second.getByRole('row').filter({ hasText: 'Sorry for the outage' })).toContainText(
      'Pending',
    );
    await expectAccessible(second);
    await second
      .getByRole('row')
      .filter({ hasText: 'Sorry for the outage' })
      .getByRole('link')
      .first()
      .click();
    await second.waitForURL('**/admin/finance-actions/*');
    const late = await second.context().newPage();
    await late.goto(second.url());
    await late.getByRole('button', { name: 'Approve…' }).click();
    await second.getByRole('button', { name: 'Approve…' }).click();
    const dialog = second.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await expect(second.getByRole('main').getByText('Done').first()).toBeVisible();
    // In a tab that still offers it, the response says who decided first.
    await late.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await expect(late.getByRole('dialog').getByText(/^Already approved by /)).toBeVisible();
    await late.close();
    await second.goto('/admin/credits');
    await expect(second.getByRole('row').filter({ hasText: 'Sorry for the outage' })).toContainText(
      '$250.00',
    );
  });

  await test.step('the settings show the limit, and accept other periods for debts', async () => {
    await second.goto('/admin/billing-settings');
    await expect(second.getByText('One administrator can move up to $100.00 per team')).toBeVisible();
    const kinds = second.getByRole('list', { name: 'Actions that need approval' }).getByRole('listitem');
    await expect(kinds.filter({ hasText: 'Reverse a bank transfer' })).toBeVisible();
    expect(await kinds.count()).toBe(Object.keys(financeActionTexts).length);
    await expectAccessible(second);
    const days = second.getByLabel('Days until CVMs stop');
    await days.fill('366');
    await expect(second.getByText('Enter 0 to 365 days.')).toBeVisible();
    await expect(second.getByRole('button', { name: 'Save changes' })).toBeDisabled();
    await days.fill('7');
    await second.getByRole('button', { name: 'Save changes' }).click();
    await expect(second.getByRole('button', { name: 'Save changes' })).toBeDisabled();
    await second.reload();
    await expect(days).toHaveValue('7');
    await second.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(second);
  });
  expect(complaints.flat()).toEqual([]);
});
