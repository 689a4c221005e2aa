import { getAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet, WalletMessage } from '../../../../generated/api/types.gen';
import { walletMessage } from '../../../domain/accounts/walletMessage';
import { startRpcGate, startTestChain, type RpcGate, type TestChain } from '../../../testing/chain';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';
import { deployContract } from '../../../tools/chain/deploy';

/** Linking wallets by EIP-4361 messages. */
let server: TestServer;
let user: TestClient;
let stranger: TestClient;
/** Stands in for Base. */
let chain: TestChain;
let gate: RpcGate;

/** Keys of anvil's default accounts, known to every development tool. */
const OWN = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d');
const OTHER = privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a');

beforeAll(async () => {
  chain = await startTestChain(8453);
  gate = await startRpcGate(chain);
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', BASE_RPC_URL: gate.url } });
  user = await server.register();
  stranger = await server.register();
});
afterAll(async () => {
  await server?.stop();
  await gate?.close();
  await chain?.stop();
});

const messageFor = async (client: TestClient, address: string = OWN.address, chain_id = 8453) =>
  ((await client.call('createWalletMessage', { body: { address, chain_id } })).body as WalletMessage).message;
const link = (client: TestClient, message: string, signature: string) =>
  client.call('linkWallet', { body: { message, signature } });
const wallets = async (client = user) => (await client.call('listWallets')).body as unknown as Wallet[];
const proofOf = (address: string) =>
  server.services.db
    .selectFrom('account_wallets')
    .select(['proof', 'chain_id'])
    .where('address', '=', address.toLowerCase())
    .executeTakeFirstOrThrow();
const fieldOf = ({ body }: { body: unknown }) => (body as { details: { field: string }[] }).details[0]?.field;

describe('linking a wallet', () => {
  it('accepts a signed message from this server, once', async () => {
    const message = await messageFor(user, OWN.address.toLowerCase());
    const host = new URL(server.services.config.publicUrl).host;
    expect(message).toContain(`${host} wants you to sign in with your Ethereum account:\n${OWN.address}\n`);
    expect(message).toContain('Chain ID: 8453');
    const signature = await OWN.signMessage({ message });
    const linked = await link(user, message, signature);
    expect([linked.status, linked.body]).toEqual([201, expect.objectContaining({ address: OWN.address })]);
    expect(await proofOf(OWN.address)).toEqual({ proof: 'key', chain_id: null });
    expect((await link(user, message, signature)).status).toBe(409);
    expect(await wallets()).toMatchObject([{ address: OWN.address }]);
    expect(await wallets(stranger)).toEqual([]);
    const { body } = await user.call('exportAccount');
    expect(body).toMatchObject({ wallets: [{ address: OWN.address }] });
  });

  it('refuses another account’s message, even correctly signed', async () => {
    const message = await messageFor(stranger);
    const refused = await link(user, message, await OWN.signMessage({ message }));
    expect([refused.status, fieldOf(refused)]).toEqual([422, 'message']);
  });

  it('refuses a message that was changed anywhere', async () => {
    const message = await messageFor(user, OTHER.address);
    for (const changed of [
      message.replace('8453', '1'),
      message.replace('Link this', 'Give this'),
      message.replace(/wants you/, 'want you'),
      message.replace(/Nonce: ./, 'Nonce: x'),
      message.replace(/Expiration Time: \d{4}/, 'Expiration Time: 2099'),
      `${message}\n`,
      `${message}\nResources:\n- https://evil.test`,
      'not a message',
      '\0',
    ]) {
      const refused = await link(user, changed, await OTHER.signMessage({ message: changed }));
      expect([changed, refused.status]).toEqual([changed, 422]);
    }
  });

  it('refuses another key’s signature, and malformed signatures', async () => {
    const message = await messageFor(user, OTHER.address);
    for (const signature of [
      await OWN.signMessage({ message }),
      `0x${'00'.repeat(65)}`,
      `0x${'ff'.repeat(65)}`,
    ]) {
      const refused = await link(user, message, signature);
      expect([refused.status, fieldOf(refused)]).toEqual([422, 'signature']);
    }
    expect((await link(user, message, '0x12')).status).toBe(422);
  });

  it('refuses an already used message, and the malleated form of its signature', async () => {
    const client = await server.register();
    const message = await messageFor(client, OTHER.address);
    const signature = await OTHER.signMessage({ message });
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const mirrored = `${signature.slice(0, 66)}${s}${signature.endsWith('1b') ? '1c' : '1b'}`;
    expect((await link(client, message, mirrored)).status).toBe(422);
    const linked = await link(client, message, signature);
    expect(linked.status).toBe(201);
    const path = { wallet_id: (linked.body as Wallet).id };
    expect((await client.call('unlinkWallet', { path })).status).toBe(204);
    for (const again of [signature, mirrored]) {
      const refused = await link(client, message, again);
      expect(refused.status).toBe(422);
    }
    const used = await link(client, message, signature);
    expect([fieldOf(used), JSON.stringify(used.body)]).toEqual([
      'message',
      expect.stringContaining('has been used before'),
    ]);
    expect(await wallets(client)).toEqual([]);
    const next = await messageFor(client, OTHER.address);
    expect((await link(client, next, await OTHER.signMessage({ message: next }))).status).toBe(201);
  });

  it('refuses a message after ten minutes', async () => {
    const { db, seal, config } = server.services;
    const { public_id: user_public_id } = await db
      .selectFrom('users')
      .select('public_id')
      .where('email', '=', user.email!)
      .executeTakeFirstOrThrow();
    const of = (issued_at: Date) =>
      walletMessage(seal, {
        public_url: config.publicUrl,
        user_public_id,
        address: OTHER.address,
        chain_id: 1,
        issued_at,
      }).message;
    const old = of(new Date(Date.now() - 601_000));
    const expired = await link(user, old, await OTHER.signMessage({ message: old }));
    expect([expired.status, JSON.stringify(expired.body)]).toEqual([
      422,
      expect.stringContaining('has expired'),
    ]);
    const recent = of(new Date(Date.now() - 500_000));
    expect((await link(user, recent, await OTHER.signMessage({ message: recent }))).status).toBe(201);
  });

  it('refuses malformed addresses', async () => {
    for (const address of ['0x12', OWN.address.slice(2), `${OWN.address}0`])
      expect((await user.call('createWalletMessage', { body: { address } })).status).toBe(422);
  });
});

describe('a contract wallet', () => {
  async function deployed(): Promise<string> {
    const wallet = await deployContract(chain.client, 'SmartWallet', { args: [OTHER.address] });
    return getAddress(wallet.address);
  }

  it('is linked with a signature that its contract accepts, on the message’s network', async () => {
    const wallet = await deployed();
    const message = await messageFor(user, wallet);
    const refused = await link(user, message, await OWN.signMessage({ message }));
    expect([refused.status, fieldOf(refused)]).toEqual([422, 'signature']);
    const long = await link(user, message, `0x${'ab'.repeat(400)}`);
    expect([long.status, fieldOf(long)]).toEqual([422, 'signature']);
    const signature = await OTHER.signMessage({ message });
    const linked = await link(user, message, signature);
    expect([linked.status, linked.body]).toMatchObject([201, { address: wallet }]);
    expect(await proofOf(wallet)).toEqual({ proof: 'contract', chain_id: 8453 });
  });

  it('can be linked again if its proof isn’t recorded', async () => {
    const wallet = await deployed();
    const linkAgain = async () => {
      const message = await messageFor(user, wallet);
      return (await link(user, message, await OTHER.signMessage({ message }))).status;
    };
    expect(await linkAgain()).toBe(201);
    await server.services.db
      .updateTable('account_wallets')
      .set({ proof: null, chain_id: null })
      .where('address', '=', wallet.toLowerCase())
      .execute();
    expect(await linkAgain()).toBe(201);
    expect(await proofOf(wallet)).toEqual({ proof: 'contract', chain_id: 8453 });
    const message = await messageFor(user, wallet);
    expect((await link(user, message, `${await OTHER.signMessage({ message })}`)).status).toBe(409);
  });

  it('is not linked on a network that isn’t configured or can’t be read', async () => {
    const wallet = await deployed();
    const elsewhere = await messageFor(user, wallet, 999);
    expect((await link(user, elsewhere, await OTHER.signMessage({ message: elsewhere }))).status).toBe(422);
    const message = await messageFor(user, wallet);
    gate.mode = 'down';
    const unread = await link(user, message, await OTHER.signMessage({ message }));
    gate.mode = 'open';
    expect(unread).toMatchObject({ status: 502, body: { error_code: 'ERR-00-048' } });
  });
});

it('unlinks only one’s own wallet', async () => {
  const [first] = await wallets();
  const path = { wallet_id: first!.id };
  expect((await stranger.call('unlinkWallet', { path })).status).toBe(404);
  expect((await user.call('unlinkWallet', { path })).status).toBe(204);
  expect((await user.call('unlinkWallet', { path })).status).toBe(404);
  expect((await wallets()).map(({ id }) => id)).not.toContain(first!.id);
});

it('links at most 20', async () => {
  const { id: user_id } = await server.services.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', stranger.email!)
    .executeTakeFirstOrThrow();
  for (let n = 0; n < 20; n++)
    await server.services.db
      .insertInto('account_wallets')
      .values({ public_id: `wal_${n}`, user_id, address: `0x${String(n).padStart(40, '0')}` })
      .execute();
  const message = await messageFor(stranger);
  const refused = await link(stranger, message, await OWN.signMessage({ message }));
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    409,
    expect.stringContaining('limit of 20'),
  ]);
});
