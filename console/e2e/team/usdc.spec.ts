import { HDKey } from '@scure/bip32';
import { privateKeyToAccount } from 'viem/accounts';
import { startAnvil, type Anvil } from '../../../server/tools/chain/anvil';
import { deployContract, type DeployedContract } from '../../../server/tools/chain/deploy';
import { expect, test } from '../browser';
import { startOwnServer, type OwnServer } from '../ownServer';
import { expectAccessible, expectNoSidewaysScroll, PASSWORD, watchConsole } from '../support';
import { addScriptedWallet, type ScriptedWallet } from '../wallets/scriptedWallet';

/** Key of anvil's second account, known to every development tool. */
const PAYER = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
const XPUB = HDKey.fromMasterSeed(Buffer.alloc(32, 9)).derive("m/44'/60'/1'/0").publicExtendedKey;

let chain: Anvil;
let token: DeployedContract;
let server: OwnServer;

test.beforeAll(async () => {
  chain = await startAnvil();
  token = await deployContract(chain.client, 'TestUsd');
  await token.send('mint', [PAYER.address, 1_000_000_000]);
  server = await startOwnServer({
    LOCAL_TEEPOD_ENGINE: 'simulate',
    LOCAL_CHAIN_RPC_URL: chain.url,
    USDC_XPUB: XPUB,
    USDC_NETWORKS: `local=${token.address}`,
  });
});
test.afterAll(async () => {
  await server?.stop();
  await chain?.stop();
});

test('a team adds funds in USDC with a wallet', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  const complaints = watchConsole(page);
  const wallet: ScriptedWallet = { account: PAYER, chainId: 1, rejects: true };
  await addScriptedWallet(page, chain.url, wallet);
  const registered = await page.request.post(`${server.url}/api/v1/auth/register`, {
    data: { email: 'payer@example.test', password: PASSWORD },
    headers: { Origin: server.url },
  });
  expect(registered.ok()).toBe(true);
  await page.goto('/');
  await page.waitForURL((url) => !/^\/(register|login)?$/.test(url.pathname));
  const team = new URL(page.url()).pathname.split('/')[1] ?? '';
  await page.goto('/setup-billing');

  const panel = page.getByRole('region', { name: 'USDC' });
  await panel.getByRole('button', { name: 'Create deposit address' }).click();
  await expect(panel.getByRole('button', { name: /^Copy deposit address 0x/ })).toBeVisible();
  const send = panel.getByRole('button', { name: 'Send with a wallet' });
  // A new server reads the network within seconds.
  await expect(send).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 800 });

  await send.click();
  const dialog = page.getByRole('dialog', { name: 'Send USDC' });
  await dialog.getByLabel('Amount in USDC').fill('0.5');
  await expect(dialog.getByText('The smallest amount is $1.')).toBeVisible();
  await dialog.getByLabel('Amount in USDC').fill('125.50');
  const withWallet = dialog.getByRole('button', { name: 'Send with Scripted wallet' });
  let decide = () => undefined as void;
  wallet.undecided = new Promise((resolve) => (decide = resolve));
  await withWallet.click();
  await expect(dialog.getByText('Confirm the transaction in your wallet.')).toBeVisible();
  // The values shown in the wallet stay on screen.
  await expect(dialog.getByLabel('Amount in USDC')).toBeDisabled();
  decide();
  await expect(dialog.getByText('You rejected the request in your wallet.')).toBeVisible();
  // Fails on the chain: the amount can be changed and sent again.
  wallet.reverts = true;
  await dialog.getByLabel('Amount in USDC').fill('999');
  await withWallet.click();
  await expect(dialog.getByText('The transaction failed on-chain')).toBeVisible({ timeout: 60_000 });
  await expect(dialog.getByText('Check that your account has enough USDC')).toBeVisible();
  await dialog.getByLabel('Amount in USDC').fill('125.50');
  await withWallet.click();
  await expect(dialog.getByText('The transaction is on-chain')).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).first().click();

  const row = panel.getByRole('row').filter({ hasText: '$125.50' });
  await expect(row.getByText('Confirming')).toBeVisible({ timeout: 60_000 });
  await chain.client.mine({ blocks: 3 });
  await expect(row.getByText('Received')).toBeVisible({ timeout: 60_000 });
  const payments = page.getByRole('region', { name: 'Payments' });
  await expect(payments.getByRole('row').filter({ hasText: 'USDC' })).toContainText('$125.50');
  expect(team).not.toBe('');
  expect(complaints).toEqual([]);
  await context.close();
});
