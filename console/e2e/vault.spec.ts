import { expect, test } from '@playwright/test';
import { addPasskey, addPasskeyDevice, apartFrom } from './people';
import { expectAccessible, expectNoSidewaysScroll, registerInBrowser, watchConsole } from './support';

/** Bodies the page sent, noted before they leave. */
interface Sent {
  sent: string[];
}

const PASSPHRASE = 'nine blue herons at dusk';

test('a vault is set up with a passphrase, gets a passkey, and opens with either', async ({ page }) => {
  test.setTimeout(120_000);
  await addPasskeyDevice(page);
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

  await test.step('too short or not the same twice is said at the field', async () => {
    await page.goto('/account/settings?section=security');
    await page.getByRole('button', { name: 'Set up the vault' }).click();
    await expect(dialog.getByRole('heading', { name: 'Set up your vault' })).toBeVisible();
    await expect(dialog.getByText('Nobody can open it for you.')).toBeVisible();
    await field.fill('short');
    await dialog.getByRole('button', { name: 'Set up', exact: true }).click();
    await expect(dialog.getByText('7 more characters needed.')).toBeVisible();
    await field.fill(PASSPHRASE);
    await expect(dialog.getByText('The two are not the same.')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('what is sent holds neither passphrase nor private key', async () => {
    await dialog.getByLabel('The same again', { exact: true }).fill(PASSPHRASE);
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

  await test.step('after a reload it is closed: a wrong passphrase opens nothing, the right one does', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Add a way to open it' }).click();
    const opens = dialog.getByLabel('Passphrase of your vault', { exact: true });
    await opens.fill('nine blue herons at dawn');
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(dialog.getByText('This passphrase does not open your vault.')).toBeVisible();
    await expectAccessible(page);
    await opens.fill(PASSPHRASE);
    await dialog.getByRole('button', { name: 'Open', exact: true }).click();
    await dialog.getByText('One of your passkeys', { exact: true }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('row', { name: /Passkey/ })).toBeVisible();
  });

  await test.step('now the passkey opens it', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Add a way to open it' }).click();
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(dialog.getByRole('heading', { name: 'Another way to open your vault' })).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeVisible();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('the last way stays, the vault can be deleted', async () => {
    const confirm = page.getByRole('alertdialog');
    for (const name of ['Passkey', 'Passphrase']) {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await confirm.getByRole('button', { name: 'Remove' }).click();
      if (name === 'Passkey') await expect(confirm).toBeHidden();
    }
    await expect(confirm.getByText('This is the only way to open the vault', { exact: false })).toBeVisible();
    await confirm.getByRole('button', { name: 'Cancel' }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await confirm.getByRole('button', { name: 'Delete vault' }).click();
    await expect(page.getByRole('button', { name: 'Set up the vault' })).toBeVisible();
  });
  expect(apartFrom(complaints, 409)).toEqual([]);
});
