import { expect, test, type Page } from './browser';
import {
  deployApp,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  registerUser,
  watchConsole,
  writeCompose,
} from './support';

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    environment:
      - GREETING=\${GREETING}
    command: httpd -f -p 80
`;
const PLAIN = `services:
  web:
    image: ${IMAGE}
    command: httpd -f -p 80
`;
/** A valid key of another KMS. */
const OTHER = '0217610d74cbd39b6143842c6d8bc310d79da1d82cc9d17f8876376221eda0c38f';

const pinned = (page: Page) => page.getByRole('table', { name: /pinned key/i });

test('pins the root keys of a KMS and refuses to encrypt secrets for another', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'pins');
  const cvm = await deployApp(page, slug, { name: 'pinned-app', compose: PLAIN });

  await test.step('pins the keys the server shows, by an explicit click', async () => {
    await page.goto(`${cvm}/kms`);
    await expect(page.getByText('These root keys aren’t pinned.')).toBeVisible();
    await expect(page.getByText('Signed by the root key on record')).toBeVisible();
    await page.getByRole('button', { name: /^Pin the root keys of/ }).click();
    await expect(page.getByText('These root keys are pinned.')).toBeVisible();
    await expect(page.getByText('Signed by a root key you pinned')).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('compares the evidence with them', async () => {
    await page.goto(`${cvm}/certificates`);
    await expect(page.locator('[data-check="kms.root"]')).toBeVisible();
    await expect(page.getByText('The disk key came from the KMS whose root key you pinned')).toBeVisible();
  });

  await test.step('refuses to encrypt secrets when the server shows another root key', async () => {
    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname === '/api/v1/cvms') sent += 1;
    });
    await page.route(/\/api\/v1\/kms\/[^/]+$/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), k256_pubkey: OTHER } });
    });
    await page.goto(`/${slug}/deploy`);
    await page.getByLabel('Name', { exact: true }).fill('sealed-app');
    await writeCompose(page, COMPOSE);
    await page.getByRole('button', { name: 'Add variable', exact: true }).click();
    await page.getByRole('textbox', { name: 'Value of GREETING' }).fill('a secret');
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await expect(
      page.getByText(`has root key ${OTHER}, which isn’t pinned in this browser`).first(),
    ).toBeVisible();
    expect(sent).toBe(0);
    await page.unroute(/\/api\/v1\/kms\/[^/]+$/);
    // The same form deploys once the server shows the pinned key again.
    await page.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.waitForURL(`**/${slug}/cvms/**`, { timeout: 60_000 });
  });

  await test.step('manages pins in the account, with a pasted key', async () => {
    await page.goto('/account/settings?section=security');
    await expect(pinned(page).getByRole('row')).toHaveCount(3);
    await page.getByRole('button', { name: 'Pin a key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Pin a KMS root key' });
    await dialog.getByLabel('Root key', { exact: true }).fill('not a key');
    await dialog.getByRole('button', { name: 'Pin key' }).click();
    await expect(dialog.getByText(/is a secp256k1 public key/)).toBeVisible();
    await dialog.getByLabel('Root key', { exact: true }).fill(OTHER);
    await dialog.getByLabel(/^Label/).fill('from the operator');
    await dialog.getByRole('button', { name: 'Pin key' }).click();
    await expect(pinned(page).getByRole('row')).toHaveCount(4);
    await expect(page.getByText('from the operator', { exact: true })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('encrypts nothing when the stored pins are damaged', async () => {
    await page.evaluate(() => localStorage.setItem('teehouse:kms-pins', '[{"kind":"env"}]'));
    await page.goto(`${cvm}/kms`);
    await expect(page.getByText('The pinned keys can’t be read.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear pinned keys' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Clear' }).click();
    await expect(page.getByText('These root keys aren’t pinned.')).toBeVisible();
  });
  expect(complaints).toEqual([]);
});
