import { readFileSync } from 'node:fs';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { startAnvil, type Anvil } from '../../../server/tools/chain/anvil';
import { deployKms, receiptOf, type DeployedKms } from '../../../server/tools/chain/deploy';
import { imageHash } from '../../../server/teepod/attestation';
import { expect, test, type Locator, type Page } from '../browser';
import { hostJoined, startOwnServer, type OwnServer } from '../ownServer';
import { callAt } from './teamApi';
import { addScriptedWallet, type ScriptedWallet } from './scriptedWallet';
import { expectAccessible, expectNoSidewaysScroll, PASSWORD, watchConsole, writeCompose } from '../support';

/** Keys of anvil's second and third accounts, known to every development tool. */
const OWNER = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
const NEXT = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a');
const compose = (image: string) => `services:\n  web:\n    image: ${image}\n`;

let chain: Anvil;
let kms: DeployedKms;
let server: OwnServer;

test.beforeAll(async () => {
  chain = await startAnvil();
  kms = await deployKms(chain.client);
  for (const image of ['dstack-local-0.6.0', 'dstack-local-dev-0.6.0'])
    await kms.send('addOsImageHash', [`0x${imageHash(image)}`]);
  server = await startOwnServer({
    LOCAL_TEEPOD_ENGINE: 'simulate',
    LOCAL_CHAIN_RPC_URL: chain.url,
    LOCAL_TEEPOD_KMS_CONTRACT: kms.address,
  });
});
test.afterAll(async () => {
  await server?.stop();
  await chain?.stop();
});

/** Fills the deploy page for an app guarded by a contract, and deploys it up to that contract. */
async function fillGuarded(page: Page, team: string): Promise<void> {
  await page.goto(`/${team}/deploy`);
  await page.getByLabel('Name', { exact: true }).fill('guarded');
  await writeCompose(page, compose('nginx:alpine'));
  const keys = page.getByLabel('Keys', { exact: true });
  const guarded = keys.locator('option', { hasText: 'controlled by a contract on Local development' });
  await keys.selectOption((await guarded.getAttribute('value')) ?? '');
  await expect(page.getByText('must first be allowed by a contract on Local development')).toBeVisible();
  await page.getByRole('button', { name: 'Deploy', exact: true }).click();
}

/** Deploys on the deploy page, with the wallet that will own the app's contract. */
async function deployGuarded(page: Page, team: string, wallet: ScriptedWallet): Promise<string> {
  await hostJoined(server, page, team);
  await fillGuarded(page, team);

  const panel = page.getByRole('region', { name: 'Deploy the app’s contract' });
  const send = panel.getByRole('button', { name: 'Send with Scripted wallet' });
  // Although the wallet is still on another network.
  await expect(panel.getByText(/Network fee: about 0\.\d+ ETH \([\d,]+ gas at /)).toBeVisible();
  await send.click();
  await expect(panel.getByText('your wallet still isn’t on Local development')).toBeVisible();
  await expect(panel.getByText('Choose Local development (chain 31337) in the wallet')).toBeVisible();
  await send.click();
  await expect(panel.getByText('You rejected the request in your wallet.')).toBeVisible();
  expect(wallet.chainId).toBe(31337);
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await panel.getByText('Use another wallet').click();
  await panel.getByLabel('Owner').fill(OWNER.address);
  await expect(panel.getByText('cast send 0x')).toBeVisible();
  await refusesOtherContracts(page, panel);

  await panel.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('alert').getByText('The deployment stopped before')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await send.click();
  await page.waitForURL(`**/${team}/cvms/**`, { timeout: 60_000 });
  return new URL(page.url()).pathname.split('/').at(-1) ?? '';
}

/** Enters values that aren't a contract of this app before completing the step. */
async function refusesOtherContracts(page: Page, panel: Locator): Promise<void> {
  const named = panel.getByLabel('Transaction or contract');
  const use = panel.getByRole('button', { name: 'Use this contract' });
  await use.click();
  await expect(panel.getByText('Enter an address (0x')).toBeVisible();
  await named.fill(NEXT.address);
  await use.click();
  await expect(panel.getByText('There is no contract at')).toBeVisible();
  await named.fill(kms.address);
  await use.click();
  await expect(panel.getByText('is not registered with the KMS contract')).toBeVisible();
  await expect(named).toHaveValue(kms.address);
  await expect(page.getByText('Confirm the app’s contract', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Deploying' })).toBeVisible();
}

/** Expects IDs to show both ends, and every table cell to be fully visible. */
async function expectNothingCut(page: Page): Promise<void> {
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main td, main button[aria-label^="Copy"] > span')]
      // Allows one pixel for rounding.
      .filter((one) => one.clientWidth > 1 && one.scrollWidth > one.clientWidth + 1)
      .map(({ textContent }) => textContent),
  );
  expect(cut).toEqual([]);
}

test('an owner allows an update with a wallet, commits it and transfers the contract', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  const complaints = watchConsole(page);
  const wallet: ScriptedWallet = { account: OWNER, chainId: 1, rejects: true, staysOnNetwork: true };
  await addScriptedWallet(page, chain.url, wallet);
  // A server's first user is signed in immediately.
  const registered = await page.request.post(`${server.url}/api/v1/auth/register`, {
    data: { email: 'owner@example.test', password: PASSWORD },
    headers: { Origin: server.url },
  });
  expect(registered.ok()).toBe(true);
  await page.goto('/');
  await page.waitForURL((url) => !/^\/(register|login)?$/.test(url.pathname));
  const team = new URL(page.url()).pathname.split('/')[1] ?? '';
  const vm_uuid = await deployGuarded(page, team, wallet);
  wallet.rejects = true;
  wallet.chainId = 1;
  const cvm = async () => (await callAt(server.url, page, 'get', `/cvms/${vm_uuid}`, team)).body;
  await expect.poll(async () => (await cvm()).status, { timeout: 90_000 }).toBe('running');
  const before = (await cvm()).compose_hash;

  const waiting = page.getByRole('region', { name: /^Update to revision 2/ });
  await test.step('says before the update that the contract must allow it, and links there', async () => {
    await page.goto(`/${team}/cvms/${vm_uuid}/compose`);
    await expect(page.getByText('The app’s contract must allow this change first.')).toBeVisible();
    await writeCompose(page, compose('nginx:stable'));
    await page.getByRole('button', { name: 'Update', exact: true }).click();
    await page.waitForURL(`**/${vm_uuid}/kms`);
    await expect(page.getByRole('heading', { name: 'Update to revision 2 is waiting for' })).toBeVisible();
    // The notice is still there after leaving.
    await page.goto(`/${team}/cvms/${vm_uuid}/compose`);
    await expect(page.getByText('Revision 2 is waiting for the app’s contract.')).toBeVisible();
    await page.getByRole('link', { name: 'View changes' }).click();
    await page.waitForURL('**/revisions?from=*');
    await expect(page.getByRole('main')).toContainText('nginx:stable');
    await page.goto(`/${team}/cvms/${vm_uuid}/compose`);
    await page.getByRole('link', { name: 'Allow it' }).click();
    await page.waitForURL(`**/${vm_uuid}/kms`);
  });

  await test.step('shows what must be allowed, and the transaction for any wallet', async () => {
    await expect(waiting.getByText('Not allowed yet.')).toBeVisible();
    await expect(waiting.getByText('cast send')).toBeVisible();
    await expect(waiting.getByRole('button', { name: 'Commit' })).toBeDisabled();
    await expect(waiting.getByText('The contract must allow it before you can commit.')).toBeVisible();
    await expect(waiting.getByText(/Network fee: about 0\.\d+ ETH/)).toBeVisible();
    await expect(page.getByText('This CVM is allowed to boot.')).toBeVisible();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      waiting.getByRole('button', { name: 'Download Safe file' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.safe\.json$/);
    const safe = JSON.parse(readFileSync(await file.path(), 'utf8')) as {
      chainId: string;
      transactions: { to: string }[];
    };
    expect(safe.chainId).toBe('31337');
    expect(safe.transactions.length).toBeGreaterThan(0);
    await expectAccessible(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectNothingCut(page);
  });

  await test.step('shows the complete state of the waiting revision', async () => {
    const { app_id } = await cvm();
    await page.goto(`/${team}/apps/${String(app_id)}/revisions`);
    await expect(page.getByRole('cell', { name: 'Awaiting approval' })).toBeVisible();
    await expectNothingCut(page);
    await page.goto(`/${team}/cvms/${vm_uuid}/kms`);
  });

  await test.step('switches the wallet’s network, survives a rejection and resumes after leaving', async () => {
    const send = waiting.getByRole('button', { name: 'Send with Scripted wallet' });
    await send.click();
    await expect(waiting.getByText('You rejected the request in your wallet.')).toBeVisible();
    expect(wallet.chainId).toBe(31337);
    await page.goto(`/${team}`);
    await page.goto(`/${team}/cvms/${vm_uuid}/kms`);
    await send.click();
    await expect(waiting.getByText('The contract allows it now.')).toBeVisible();
    await expect(waiting.getByText('Committing restarts guarded with revision 2')).toBeVisible();
    await expect(waiting.getByText('Allow it on the contract')).toBeHidden();
    await expect(waiting.getByText('cast send')).toBeHidden();
  });

  await test.step('commits, and the CVM runs the new revision', async () => {
    await waiting.getByRole('button', { name: 'Commit' }).click();
    await expect(waiting).toBeHidden();
    await expect.poll(async () => (await cvm()).status, { timeout: 90_000 }).toBe('running');
    expect((await cvm()).compose_hash).not.toBe(before);
    await expect(page.getByText('An older compose hash is still allowed.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Remove revision 1…' })).toBeVisible();
  });

  await test.step('shows other users what the contract refuses', async () => {
    wallet.account = NEXT;
    await page.getByRole('button', { name: 'Allow any device…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send with Scripted wallet' }).click();
    await expect(dialog.getByText(/isn’t authorized to do this/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    wallet.account = OWNER;
  });

  const dialog = page.getByRole('dialog');
  const sendWith = dialog.getByRole('button', { name: 'Send with Scripted wallet' });
  const close = () => dialog.getByRole('button', { name: 'Close' }).click();
  const sendAndClose = async () => {
    await sendWith.click();
    await expect(dialog.getByText('The transaction is on-chain')).toBeVisible();
    await close();
  };

  await test.step('rejects part of a device ID', async () => {
    await page.getByRole('button', { name: 'Allow device…' }).click();
    await dialog.getByLabel('Device ID').fill('ab12');
    await expect(dialog.getByText('This has 4 hex digits instead of 64.')).toBeVisible();
    await expect(sendWith).toBeHidden();
    await dialog.getByLabel('Host').selectOption({ label: 'local' });
    await expect(dialog.getByLabel('Device ID')).toHaveValue(/^0x[0-9a-f]{64}$/);
    await expect(sendWith).toBeVisible();
    await close();
  });

  await test.step('names the CVM that removing a hash takes down, before removing it', async () => {
    await page.getByRole('button', { name: 'Actions for revision 2' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await expect(dialog.getByText(/In use: guarded has this compose hash/)).toBeVisible();
    await expect(sendWith).toBeHidden();
    await dialog.getByLabel(/^Type “.*” to confirm$/).fill('guarded');
    await sendAndClose();
    await expect(page.getByText('This CVM isn’t allowed to boot.')).toBeVisible();

    await page.getByRole('button', { name: 'Restart', exact: true }).click();
    await expect(dialog.getByText(/compose hash isn’t allowed, so it won’t restart/)).toBeVisible();
    await expect(dialog.getByRole('link', { name: 'Open the KMS tab' })).toBeVisible();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Restart', exact: true }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('keeps a CVM running if the contract refuses its restart', async () => {
    const settled = async () => {
      const { status, in_progress } = await cvm();
      return [status, in_progress];
    };
    await expect.poll(settled, { timeout: 90_000 }).toEqual(['running', false]);
    await expect(page.getByText('This CVM isn’t allowed to boot.')).toBeVisible();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect.poll(settled, { timeout: 90_000 }).toEqual(['stopped', false]);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(dialog.getByText(/compose hash isn’t allowed, so it won’t boot/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(dialog).toBeHidden();
  });

  await test.step('directs the owner of a CVM without keys to the contract', async () => {
    await expect.poll(async () => (await cvm()).status, { timeout: 90_000 }).toBe('error');
    await page.goto(`/${team}/cvms/${vm_uuid}`);
    const alert = page.getByRole('alert');
    await expect(alert.getByText('guarded got no keys')).toBeVisible();
    await alert.getByRole('link', { name: 'Allow this hash' }).click();
    await page.getByRole('button', { name: 'Allow this hash…' }).click();
    await sendAndClose();
    await expect(page.getByText('This CVM is allowed to boot.')).toBeVisible();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(dialog.getByText('The app’s contract allows this boot now.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Start', exact: true }).click();
    await expect.poll(async () => (await cvm()).status, { timeout: 90_000 }).toBe('running');
  });

  await test.step('links a rollback that the contract doesn’t allow to its approval', async () => {
    await page.goto(`/${team}/cvms/${vm_uuid}/kms`);
    await page.getByRole('button', { name: 'Actions for revision 1' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await sendAndClose();
    const { app_id } = await cvm();
    await page.goto(`/${team}/apps/${String(app_id)}/revisions`);
    await page.getByRole('button', { name: 'Actions for revision 1' }).click();
    await page.getByRole('menuitem', { name: 'Roll back…' }).click();
    await expect(dialog.getByText(/If the app’s contract on .+ doesn’t allow it, it waits/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await page.waitForURL(`**/${vm_uuid}/kms`);
    const rollback = page.getByRole('region', { name: /^Rollout of revision \d+ is waiting/ });
    await expect(rollback.getByText('Not allowed yet.')).toBeVisible();
    await rollback.getByRole('button', { name: 'Withdraw' }).click();
    await expect(rollback).toBeHidden();
  });

  await test.step('transfers the contract, which the new owner accepts', async () => {
    await page.getByRole('button', { name: 'Transfer ownership…' }).click();
    await expect(dialog.getByText('This contract transfers in two steps.')).toBeVisible();
    const next = dialog.getByLabel('New owner');
    for (const [address, fault] of [
      [NEXT.address.replace('dD', 'DD'), /checksum doesn’t match/],
      [`0x${'0'.repeat(40)}`, /zero address/],
    ] as const) {
      await next.fill(address);
      await expect(dialog.getByText(fault)).toBeVisible();
      await expect(sendWith).toBeHidden();
    }
    await next.fill(NEXT.address);
    await expect(dialog.getByText(/Network fee: about 0\.\d+ ETH/)).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Download Safe file' })).toBeVisible();
    await sendWith.click();
    await expect(dialog.getByText('The transaction is on-chain')).toBeVisible();
    // Nothing offers to send it again.
    for (const way of ['Network fee:', 'With another wallet', 'cast send', 'Download Safe file'])
      await expect(dialog.getByText(way)).toBeHidden();
    await expect(next).toBeDisabled();
    await close();
    await expect(page.getByText('Ownership transfer pending.')).toBeVisible();
    const accept = page.getByRole('button', { name: 'Accept ownership…' });
    await accept.click();
    await expect(dialog.getByText(`from ${NEXT.address}, with no value`)).toBeVisible();
    await sendWith.click();
    await expect(dialog.getByText(/The current owner can’t accept/)).toBeVisible();
    await close();
    wallet.account = NEXT;
    await accept.click();
    await sendAndClose();
    await expect(page.getByTitle(NEXT.address.toLowerCase()).first()).toBeVisible();
    const history = page.getByRole('region', { name: 'Contract history' });
    // The first one is from the deployment. Read for this page, not by the worker's next run.
    await expect(history.getByText('Owner changed')).toHaveCount(2, { timeout: 20_000 });
    await expect(history.getByText(/Read up to block \d+/)).toBeVisible();
    await expectNothingCut(page);
    await page.setViewportSize({ width: 390, height: 844 });
    const cut = history
      .getByRole('button', { name: /^Copy / })
      .evaluateAll(
        (buttons) =>
          buttons.filter((one) => [...one.children].some((part) => part.scrollWidth > part.clientWidth))
            .length,
      );
    expect(await cut).toBe(0);
    await expect(history.getByRole('button', { name: /^Copy transaction/ }).first()).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await test.step('asks for another contract if the same form is deployed again', async () => {
    expect((await callAt(server.url, page, 'delete', `/cvms/${vm_uuid}`, team)).status).toBeLessThan(300);
    await expect
      .poll(async () => (await callAt(server.url, page, 'get', `/cvms/${vm_uuid}`, team)).status)
      .toBe(404);
    await fillGuarded(page, team);
    const panel = page.getByRole('region', { name: 'Deploy the app’s contract' });
    await expect(panel.getByRole('button', { name: 'Send with Scripted wallet' })).toBeVisible();
    await expect(panel.getByText('You deployed a contract for this app.')).toBeHidden();
  });
  await test.step('accepts a transaction from a wallet elsewhere, and finds the contract automatically', async () => {
    // Only the other page has the wallet.
    const plain = await context.newPage();
    await fillGuarded(plain, team);
    const panel = plain.getByRole('region', { name: 'Deploy the app’s contract' });
    await expect(panel.getByText('No wallet was found in this browser.')).toBeVisible();
    await expect(panel.getByText(/Network fee: about 0\.\d+ ETH/)).toBeVisible();
    // The field is visible without opening anything.
    await panel.getByLabel('Owner').fill(OWNER.address);
    const data = await panel.getByText('0x8618169d').textContent();
    await expectAccessible(plain);
    const hash = await chain.client.sendTransaction({ account: OWNER, to: kms.address, data: data as Hex });
    await receiptOf(chain.client, hash);
    await expect(
      panel.getByText('This owner already has a contract that allows this compose hash.'),
    ).toBeVisible();
    await panel.getByLabel('Transaction or contract').fill(hash);
    await panel.getByRole('button', { name: 'Use this contract' }).click();
    await plain.waitForURL(`**/${team}/cvms/**`, { timeout: 60_000 });
    await plain.close();
  });
  // The browser reports statuses of refused requests: deleted CVMs, contracts and waiting changes. Replacing text
  // in the editor makes Chromium try to keep the old text's inline style, as in compose.spec.
  const ours = complaints.filter((text) => !/\b(404|465|467)\b|Applying inline style violates/.test(text));
  expect(ours).toEqual([]);
  await context.close();
});
