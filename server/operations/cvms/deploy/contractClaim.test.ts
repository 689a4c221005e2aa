import type { Address } from 'viem';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Provision } from '../../../../generated/api/types.gen';
import { publicId } from '../../../domain/core/publicId';
import type { TestContract } from '../../../testing/chain';
import type { TestHost } from '../../../testing/cvmFixtures';
import { compose, DEVICE, startGovernedApps, type GovernedApps } from '../../../testing/governedApps';
import type { TestClient, TestServer } from '../../../testing/server';

/** Contract ownership when several teams provisioned the same name and Compose file. */
let governed: GovernedApps;
let server: TestServer;
let contract: TestContract;
let hosts: readonly TestHost[];
let member: TestClient;
let owner: Address;
let other: Address;

beforeAll(async () => {
  governed = await startGovernedApps();
  ({ server, contract, hosts, member, owner } = governed);
  other = governed.accounts[2] as Address;
});
afterAll(() => governed?.stop());

/** Links a wallet to the account without a signature. */
async function linkWallet(
  by: TestClient,
  address: Address,
  proof: { proof: 'key' | 'contract' | null; chain_id: number | null } = { proof: 'key', chain_id: null },
) {
  const { db } = server.services;
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', by.email)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('account_wallets')
    .values({ public_id: publicId('wal'), user_id: id, address: address.toLowerCase(), ...proof })
    .execute();
}
async function unlinkWallet(by: TestClient, address: Address) {
  await server.services.db
    .deleteFrom('account_wallets')
    .where('address', '=', address.toLowerCase())
    .where('user_id', 'in', (users) => users.selectFrom('users').select('id').where('email', '=', by.email))
    .execute();
}
const told = ({ status, body }: { status: number; body: unknown }) => [status, JSON.stringify(body)];

const provision = (name: string, by: TestClient = member) =>
  by.call('provisionCvm', {
    body: { name, compose_file: compose('nginx:alpine'), kms: 'BASE', teepod_id: hosts[0]?.teepod.id },
  });

/** Provisions and expects success. */
async function hashOf(name: string, by?: TestClient): Promise<string> {
  const { status, body } = await provision(name, by);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body as Provision).compose_hash;
}

const deployApp = async (compose_hash: string): Promise<string> =>
  (await contract.deployApp({ compose_hash, device_id: DEVICE, from: owner })).address;

const commit = (body: Record<string, unknown>, by: TestClient = member) => by.call('createCvm', { body });

it('lets no later team take the first team’s contract or block its commit', async () => {
  const compose_hash = await hashOf('contested');
  const stranger = await server.register();
  // Refused before the team pays for a contract.
  expect(told(await provision('contested', stranger))).toEqual([
    409,
    expect.stringContaining('before this one'),
  ]);
  await linkWallet(stranger, other);
  expect((await provision('contested', stranger)).status).toBe(200);
  const app_id = await deployApp(compose_hash);
  const claim = { app_id, compose_hash, deployer_address: owner };
  // Anyone can read the deployer on the chain, so naming it proves nothing.
  const refused = [409, expect.stringContaining("isn't one of your linked wallets")];
  expect(told(await commit(claim, stranger))).toEqual(refused);
  const checked = { body: { compose_hash, contract: app_id } };
  expect(told(await stranger.call('checkProvisionContract', checked))).toEqual(refused);
  // A second attempt doesn't cost the team its place.
  expect(await hashOf('contested')).toBe(compose_hash);
  expect(told(await commit({ app_id, compose_hash }))).toEqual([
    467,
    expect.stringContaining('deployer_address'),
  ]);
  expect((await commit(claim)).status).toBe(200);
  expect(told(await commit(claim, stranger))).toEqual([
    409,
    expect.stringContaining("is another team's app"),
  ]);
  // The first team now has its app, so the next team may have its own, from any account.
  const own = await deployApp(compose_hash);
  const next = await commit({ app_id: own, compose_hash }, stranger);
  expect(next.status, JSON.stringify(next.body)).toBe(200);
});

it('lets an early team neither take a later team’s contract nor block it', async () => {
  const early = await server.register();
  expect((await provision('foreseen', early)).status).toBe(200);
  expect(told(await provision('foreseen', member))).toEqual([
    409,
    expect.stringContaining('before this one'),
  ]);
  // Another name gives another hash.
  await hashOf('not-foreseen');
  await linkWallet(member, owner);
  const compose_hash = await hashOf('foreseen');
  const app_id = await deployApp(compose_hash);
  const claim = { app_id, compose_hash, deployer_address: owner };
  expect(told(await commit(claim, early))).toEqual([
    409,
    expect.stringContaining("isn't one of your linked wallets"),
  ]);
  const made = await commit(claim);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
});

it('counts no contract wallet that was proved on another network, or before that was recorded', async () => {
  const [first, rival] = [await server.register(), await server.register()];
  const smart = governed.accounts[3] as Address;
  await linkWallet(rival, other);
  const compose_hash = await hashOf('elsewhere', first);
  await hashOf('elsewhere', rival);
  const made = await contract.deployApp({ compose_hash, device_id: DEVICE, from: smart });
  const claim = { app_id: made.address, compose_hash, deployer_address: smart };
  const refused = [409, expect.stringContaining("isn't one of your linked wallets")];
  const proofs = [
    { proof: 'contract', chain_id: 1 },
    { proof: null, chain_id: null },
  ] as const;
  for (const proof of proofs) {
    await linkWallet(rival, smart, proof);
    expect(told(await commit(claim, rival))).toEqual(refused);
    await unlinkWallet(rival, smart);
  }
  await linkWallet(rival, smart, { proof: 'contract', chain_id: 31337 });
  const done = await commit(claim, rival);
  expect(done.status, JSON.stringify(done.body)).toBe(200);
});
