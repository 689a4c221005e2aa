import { expect, test, type Page } from './browser';
import { callApi, withoutStatus, forgetSession, untilRunning } from './accounts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  makeLogsPublic,
  registerUser,
  startSession,
  watchConsole,
  writeCompose,
} from './support';

const PASSPHRASE = 'nine blue herons at dusk';
const COMPOSE = `services:
  web:
    image: ${IMAGE}
    environment:
      - ONE=\${ONE}
      - TWO=\${TWO}
    command: sh -c 'trap "exit 0" TERM; echo "one is $$ONE, two is $$TWO"; httpd -f -p 80 & wait'
    ports:
      - "80:80"
    restart: unless-stopped
`;

const valueOf = (page: Page, name: string) => page.getByRole('textbox', { name: `Value of ${name}` });

test('changes one secret without retyping another, shows concurrent edits and rolls back a revision', async ({
  page,
  browser,
}) => {
  const { email, slug } = await registerUser(page, 'compose');
  const complaints = watchConsole(page);
  let cvm = '';

  await test.step('the vault keeps a copy of deployed secrets', async () => {
    await page.goto('/account/settings?section=security');
    await page.getByRole('button', { name: 'Set up vault' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
    await dialog.getByLabel('Confirm passphrase', { exact: true }).fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Set up', exact: true }).click();
    await expect(dialog).toBeHidden();
    await page.goto(`/${slug}/deploy`);
    await page.getByLabel('Name', { exact: true }).fill('compose-app');
    await writeCompose(page, COMPOSE);
    await page.getByRole('button', { name: 'Add all 2' }).click();
    await valueOf(page, 'ONE').fill('alpha');
    await valueOf(page, 'TWO').fill('beta');
    await makeLogsPublic(page);
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.waitForURL(`**/${slug}/cvms/**`, { timeout: 60_000 });
    await untilRunning(page);
    cvm = new URL(page.url()).pathname;
  });

  await test.step('in a new browser session, the copy fills the form and one value changes', async () => {
    await page.goto(`${cvm}/compose`);
    await expect(valueOf(page, 'ONE')).toHaveValue('');
    await page.getByRole('button', { name: 'Use saved values' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Vault passphrase', { exact: true }).fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Unlock', exact: true }).click();
    await expect(valueOf(page, 'ONE')).toHaveValue('alpha');
    await expect(valueOf(page, 'TWO')).toHaveValue('beta');
    await expectAccessible(page);
    // An opened copy isn't a change.
    await expect(page.getByText('No changes yet.')).toBeVisible();
    await valueOf(page, 'TWO').fill('gamma');
    await expect(
      page.getByText('Only values change, so the compose hash stays the same.', { exact: false }),
    ).toBeVisible();
    await page.getByLabel('Reason', { exact: false }).fill('gamma is better');
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await page.waitForURL((url) => url.pathname === cvm);
    await untilRunning(page);
    await page.goto(`${cvm}/logs`);
    await expect(page.getByText('one is alpha, two is gamma')).toBeVisible({ timeout: 60_000 });
    // The user's own update isn't reported as another member's, and its reason is in the history.
    await page.goto(`${cvm}/compose`);
    await expect(page.getByText('Your vault has these values.')).toBeVisible();
    await page.goto(`${cvm}/events`);
    await expect(
      page.getByRole('list', { name: 'Events', exact: true }).getByText('Updated: gamma is better'),
    ).toBeVisible();
  });

  await test.step('the second editor sees the first one’s change and loses nothing', async () => {
    const other = await browser.newPage();
    await startSession(other, email);
    await other.goto(`${cvm}/compose`);
    await page.goto(`${cvm}/compose`);
    await writeCompose(page, COMPOSE.replace('one is', 'mine, one is'));
    await writeCompose(other, COMPOSE.replace('one is', 'theirs, one is'));
    await other.getByRole('button', { name: 'Update', exact: true }).click();
    await other.waitForURL((url) => url.pathname === cvm);
    await untilRunning(other);
    await forgetSession(other);
    await other.context().close();

    await expect(page.getByText(/Revision 2 is now running/)).toBeVisible();
    // The hash labeled as running is the other member's, though this edit started from revision 1.
    const vm_uuid = cvm.split('/').at(-1) ?? '';
    const { compose_hash } = await callApi<{ compose_hash: string }>(page, 'get', `/cvms/${vm_uuid}`, {
      team: slug,
    });
    await expect(
      page.getByRole('button', { name: `Copy running compose hash ${compose_hash}` }),
    ).toBeVisible();
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await expect(
      page.getByRole('heading', { name: 'This CVM changed while you were editing' }),
    ).toBeVisible();
    const diff = page.getByRole('region', { name: /^Compose file: 1 line removed, 1 added/ });
    await expect(diff.getByText(/theirs, one is/)).toBeVisible();
    await expect(diff.getByText(/mine, one is/)).toBeVisible();
    // The panel resolves it; nothing beside it says to reload.
    await expect(page.getByText('reapply your changes', { exact: false })).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await page.waitForURL((url) => url.pathname === cvm);
    await untilRunning(page);
  });

  await test.step('compares revisions and rolls one back', async () => {
    await page.goto(`${cvm}/logs`);
    const app = await page.getByRole('link', { name: 'compose-app' }).first().getAttribute('href');
    await page.goto(`${app}/revisions`);
    await page.getByRole('link', { name: 'Revision 3', exact: true }).click();
    const diff = page.getByRole('region', { name: /^docker-compose.yml: 1 line removed, 1 added/ });
    await expect(diff.getByText(/theirs, one is/)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Summary of both revisions' })).toContainText(
      'Compose hash',
    );
    await expectAccessible(page);
    await page.getByLabel('From', { exact: true }).selectOption({ label: 'Revision 1' });
    await expect(page).toHaveURL(/from=rev_/);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    // Shortened in the middle only, so the end is visible.
    const hash = page.getByRole('button', { name: /^Copy compose hash / }).first();
    expect(
      await hash
        .locator('span')
        .first()
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth),
    ).toBe(true);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.getByRole('link', { name: 'Close', exact: true }).click();

    await page.getByRole('button', { name: 'Actions for revision 1', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Roll back…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason', { exact: false }).fill('the first was right');
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await expect(page.getByRole('heading', { name: /Revision 4 on 1 CVM/ })).toBeVisible();
    await expectAccessible(page);
    await expect(page.getByRole('heading', { name: /Revision 4 on 1 CVM/ })).toBeHidden({ timeout: 120_000 });
    await page.goto(`${app}/revisions`);
    await expect(page.getByRole('row', { name: /Revision 4/ })).toContainText('the first was right');
    await expect(page.getByRole('row', { name: /Revision 4/ })).toContainText('Live');
    // Looks in the list of finished rollouts: the current rollout's panel has the same title.
    await page.getByRole('group').getByText('Revision 4 on 1 CVM').click();
    await expect(page.getByText('is healthy on the new revision', { exact: false })).toBeVisible();
    await expectAccessible(page);
  });
  // When text is replaced in the editor, Chromium copies the replaced text's style inline; the policy blocks
  // it.
  const others = complaints.filter((text) => !text.includes('Applying inline style violates'));
  expect(withoutStatus(others, 412)).toEqual([]);
});
