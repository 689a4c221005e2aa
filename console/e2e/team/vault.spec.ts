import { expect, test } from '../browser';
import { addPasskey, addPasskeyDevice, withoutStatus } from '../accounts';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  registerInBrowser,
  registerUser,
  untilRunning,
  watchConsole,
  writeCompose,
} from '../support';

/** Request bodies, recorded before they are sent. */
interface Sent {
  sent: string[];
}

const PASSPHRASE = 'nine blue herons at dusk';
const COMPOSE = `services:
  web:
    image: ${IMAGE}
    environment:
      - ONE=\${ONE}
      - TWO=\${TWO}
    command: httpd -f -p 80
`;

test('sets up a vault with a passphrase, adds a passkey and unlocks with either', async ({ page }) => {
  const device = await addPasskeyDevice(page);
  await registerInBrowser(page, 'vault');
  await addPasskey(page, 'Laptop');
  const complaints = watchConsole(page);
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Passphrase', { exact: true });

  await page.addInitScript(() => {
    const noted = window as unknown as Sent;
    noted.sent = [];
    const send = window.fetch;
    window.fetch = async (input, init) => {
      const request = new Request(input, init);
      noted.sent.push(await request.clone().text());
      return send(request);
    };
  });

  await test.step('a short or mismatched passphrase shows an error at the field', async () => {
    await page.goto('/account/settings?section=security');
    await page.getByRole('button', { name: 'Set up vault' }).click();
    await expect(dialog.getByRole('heading', { name: 'Set up your vault' })).toBeVisible();
    await expect(dialog.getByText('Only you can unlock it.')).toBeVisible();
    await field.fill('short');
    await dialog.getByRole('button', { name: 'Set up', exact: true }).click();
    await expect(dialog.getByText('7 more characters needed.')).toBeVisible();
    await field.fill(PASSPHRASE);
    await expect(dialog.getByText('The passphrases don’t match.')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the request contains neither passphrase nor private key', async () => {
    await dialog.getByLabel('Confirm passphrase', { exact: true }).fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Set up', exact: true }).click();
    await expect(dialog).toBeHidden();
    const bodies = await page.evaluate(() => (window as unknown as Sent).sent);
    expect(bodies.join()).not.toContain(PASSPHRASE);
    const made = bodies.find((body) => body.includes('wrapped_key')) ?? '{}';
    expect(Object.keys((JSON.parse(made) as { lock: object }).lock).toSorted()).toEqual([
      'iterations',
      'kind',
      'name',
      'salt',
      'wrapped_key',
    ]);
    await expect(page.getByRole('row', { name: /Passphrase/ })).toBeVisible();
  });

  await test.step('a reload locks the vault; only the right passphrase unlocks it', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Add unlock method' }).click();
    const opens = dialog.getByLabel('Vault passphrase', { exact: true });
    await opens.fill('nine blue herons at dawn');
    await dialog.getByRole('button', { name: 'Unlock', exact: true }).click();
    await expect(dialog.getByText('Wrong passphrase.')).toBeVisible();
    await expectAccessible(page);
    await opens.fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Unlock', exact: true }).click();
    await dialog.getByText('Passkey', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('row', { name: /Passkey/ })).toBeVisible();
  });

  await test.step('the passkey unlocks it', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Add unlock method' }).click();
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(dialog.getByRole('heading', { name: 'Add an unlock method' })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('either of two passkeys unlocks it', async () => {
    await device.replace();
    await addPasskey(page, 'Phone');
    await page.reload();
    const add = page.getByRole('button', { name: 'Add unlock method' });
    await add.click();
    await dialog.getByRole('button', { name: 'Use your passphrase' }).click();
    await dialog.getByLabel('Vault passphrase', { exact: true }).fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Unlock', exact: true }).click();
    await dialog.getByText('Passkey', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('row', { name: /Passkey/ })).toHaveCount(2);
    await page.reload();
    await add.click();
    // The laptop, whose passkey was added first, isn't there.
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(dialog.getByRole('heading', { name: 'Add an unlock method' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('the last unlock method can’t be removed, but the vault can be deleted', async () => {
    const confirm = page.getByRole('alertdialog');
    const actionsFor = (name: string) => page.getByRole('button', { name: `Actions for ${name}` }).first();
    const remove = page.getByRole('menuitem', { name: 'Remove' });
    const passkeys = page.getByRole('row', { name: /Passkey/ });
    for (const left of [1, 0]) {
      await actionsFor('Passkey').click();
      await remove.click();
      await confirm.getByRole('button', { name: 'Remove' }).click();
      await expect(confirm).toBeHidden();
      await expect(passkeys).toHaveCount(left);
    }
    await actionsFor('Passphrase').click();
    await expect(remove).toBeDisabled();
    await expect(remove).toContainText('Your only unlock method');
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await confirm.getByRole('button', { name: 'Delete vault' }).click();
    await expect(page.getByRole('button', { name: 'Set up vault' })).toBeVisible();
  });
  expect(complaints).toEqual([]);
});

test('Deploy saves secrets to the vault, so that one can change later without retyping the rest', async ({
  page,
}) => {
  const { slug } = await registerUser(page, 'keeper');
  const complaints = watchConsole(page);
  const valueOf = (name: string) => page.getByRole('textbox', { name: `Value of ${name}` });
  const dialog = page.getByRole('dialog');
  const copies: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/secret-copies'))
      copies.push(request.postData() ?? '');
  });

  await test.step('a vault is set up on the deploy page, which keeps its values', async () => {
    await page.goto(`/${slug}/deploy`);
    await page.getByLabel('Name', { exact: true }).fill('vault-app');
    await writeCompose(page, COMPOSE);
    await page.getByRole('button', { name: 'Add all 2' }).click();
    await valueOf('ONE').fill('alpha');
    await valueOf('TWO').fill('beta');
    await page.getByRole('button', { name: 'Set up a vault' }).click();
    await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
    await dialog.getByLabel('Confirm passphrase', { exact: true }).fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Set up', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('switch', { name: 'Save a copy to your vault' })).toBeChecked();
    await expect(valueOf('ONE')).toHaveValue('alpha');
    await expectAccessible(page);
  });

  await test.step('a failed deployment stores nothing', async () => {
    const create = (url: URL) => url.pathname === '/api/v1/cvms';
    await page.route(create, (route) =>
      route.fulfill({
        status: 503,
        json: { message: 'No host is ready.', error_code: 'ERR-00-503' },
      }),
    );
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Try again', exact: true })).toBeVisible();
    expect(copies).toEqual([]);
    await page.unroute(create);
  });

  await test.step('a deployment saves an encrypted copy', async () => {
    await page.getByRole('button', { name: 'Try again', exact: true }).click();
    await page.waitForURL(`**/${slug}/cvms/**`, { timeout: 60_000 });
    await expect(page.getByText('Secrets saved to your vault')).toBeVisible();
    expect(copies).toHaveLength(1);
    expect(copies.join()).not.toMatch(/alpha|beta/);
    await untilRunning(page);
  });

  const cvm = new URL(page.url()).pathname;
  const useSavedValues = async () => {
    await page.goto(`${cvm}/compose`);
    await page.getByRole('button', { name: 'Use saved values' }).click();
    await dialog.getByLabel('Vault passphrase', { exact: true }).fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Unlock', exact: true }).click();
    await expect(valueOf('ONE')).toHaveValue('alpha');
  };

  await test.step('one secret changes; the other isn’t retyped', async () => {
    await useSavedValues();
    await expect(valueOf('TWO')).toHaveValue('beta');
    await valueOf('TWO').fill('gamma');
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await page.waitForURL((url) => url.pathname === cvm);
    await untilRunning(page);
    await useSavedValues();
    await expect(valueOf('TWO')).toHaveValue('gamma');
  });

  await test.step('without the switch no copy is saved', async () => {
    await page.goto(`/${slug}/deploy`);
    await page.getByLabel('Name', { exact: true }).fill('vaultless-app');
    await writeCompose(page, COMPOSE);
    await page.getByRole('button', { name: 'Add all 2' }).click();
    await valueOf('ONE').fill('delta');
    await page.getByRole('switch', { name: 'Save a copy to your vault' }).uncheck();
    const before = copies.length;
    await page.getByRole('button', { name: 'Deploy', exact: true }).click();
    await page.waitForURL(`**/${slug}/cvms/**`, { timeout: 60_000 });
    await untilRunning(page);
    await page.goto(`${new URL(page.url()).pathname}/compose`);
    await expect(page.getByText('These values aren’t in your vault yet.', { exact: false })).toBeVisible();
    expect(copies).toHaveLength(before);
  });
  expect(withoutStatus(complaints, 503)).toEqual([]);
});
