import { getAddress } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  AuditEntryPage,
  Billing,
  NotificationPage,
  PaymentPage,
  TransactionPage,
} from '../../../generated/api/types.gen';
import { startTestChain } from '../../testing/chain';
import { startTestServer } from '../../testing/server';
import { deployContract } from '../../tools/chain/deploy';
import {
  CONFIRMATIONS,
  DOLLAR,
  floods,
  startUsdcWorld,
  type UsdcTeam,
  type UsdcWorld,
} from './testing/usdcWorld';

let world: UsdcWorld;
let team: UsdcTeam;

beforeAll(async () => {
  world = await startUsdcWorld();
});
afterAll(() => world?.stop());
beforeEach(async () => {
  world.gate.mode = 'open';
  team = await world.addTeam();
});

describe('an address for USDC', () => {
  it('belongs to one team, and stays the same', async () => {
    const again = await team.client.call('createUsdcAddress');
    expect(again).toMatchObject({ status: 200, body: { address: team.address } });
    const other = await world.server.register();
    expect(((await other.call('createUsdcAddress')).body as { address: string }).address).not.toBe(
      team.address,
    );
    expect(team.address).toBe(getAddress(team.address));
    const audit = (await team.client.call('listAuditEntries', { path: { slug: team.client.slug ?? '' } }))
      .body as AuditEntryPage;
    expect(audit.data.filter(({ action }) => action === 'usdc_address.create')).toHaveLength(1);
  });

  it('is the same for two members who request it simultaneously', async () => {
    const fresh = await world.server.register();
    const answers = await Promise.all(Array.from({ length: 5 }, () => fresh.call('createUsdcAddress')));
    expect(new Set(answers.map(({ body }) => (body as { address: string }).address)).size).toBe(1);
  });

  it('comes with the watched networks', async () => {
    await world.read();
    expect(await team.shown()).toMatchObject({
      address: team.address,
      minimum: '1.00',
      networks: [{ chain_id: 31337, token: getAddress(world.token.address), current: true }],
      deposits: [],
    });
  });
});

describe('a deposit', () => {
  it('is shown immediately, and credited once when it has enough confirmations', async () => {
    const { transactionHash } = await team.send(250n * DOLLAR + 5n);
    await world.read();
    expect((await team.shown()).deposits).toMatchObject([
      {
        tx_hash: transactionHash,
        amount: '250.000005',
        state: 'pending',
        confirmations: 1,
        payment_id: null,
      },
    ]);
    expect(await team.prepaid()).toBe('0.00');
    await world.mine(CONFIRMATIONS - 1);
    await Promise.all([world.read(), world.read()]);
    await world.read();
    expect(await team.prepaid()).toBe('250.000005');
    const [deposit] = (await team.shown()).deposits;
    const [payment] = ((await team.client.call('listTopUps')).body as PaymentPage).items;
    expect(payment).toMatchObject({
      driver: 'usdc',
      state: 'paid',
      received: '250.000005',
      id: deposit?.payment_id,
    });
    const { items } = (await team.client.call('listTransactions')).body as TransactionPage;
    expect(items.map(({ description }) => description)).toEqual([`USDC deposit ${payment?.reference}`]);
  });

  it('counts once per transfer: two in one block are two', async () => {
    await world.chain.client.setAutomine(false);
    const args = {
      account: world.payer,
      address: world.token.address,
      abi: world.token.abi,
      functionName: 'transfer',
    };
    for (const dollars of [3n, 4n])
      await world.chain.client.writeContract({ ...args, args: [team.address, dollars * DOLLAR] } as never);
    await world.chain.client.setAutomine(true);
    await world.mine(CONFIRMATIONS);
    await world.read();
    expect(await team.prepaid()).toBe('7.00');
  });

  it('below the minimum is shown, but not credited', async () => {
    await team.send(DOLLAR - 1n);
    await world.mine(CONFIRMATIONS);
    await world.read();
    expect((await team.shown()).deposits).toMatchObject([{ state: 'small', amount: '0.999999' }]);
    expect(await team.prepaid()).toBe('0.00');
  });

  it('of less than a cent is ignored, however many there are', async () => {
    for (const amount of [0n, 1n, 9_999n]) await team.send(amount);
    await world.mine(CONFIRMATIONS);
    await world.read();
    expect((await team.shown()).deposits).toEqual([]);
  });

  it('arrives even if a block has more transfers to another team than an RPC returns', async () => {
    const other = await world.addTeam();
    const { blockNumber } = await team.send(11n * DOLLAR);
    await world.mine(CONFIRMATIONS);
    world.gate.answers = floods(other.address, Number(blockNumber));
    await world.read();
    world.gate.answers = null;
    expect(await team.prepaid()).toBe('11.00');
  });

  it('of another token does not count', async () => {
    const other = await deployContract(world.chain.client, 'TestUsd');
    await other.send('mint', [team.address, 500n * DOLLAR]);
    await world.mine(CONFIRMATIONS);
    await world.read();
    expect((await team.shown()).deposits).toEqual([]);
  });

  it('is credited after a network outage of any length', async () => {
    await world.read();
    world.gate.mode = 'down';
    await team.send(20n * DOLLAR);
    await world.mine(300);
    await world.read();
    expect((await team.shown()).networks).toMatchObject([{ current: false }]);
    world.gate.mode = 'open';
    await world.read();
    expect(await team.prepaid()).toBe('20.00');
    expect((await team.shown()).networks).toMatchObject([{ current: true }]);
  });

  it('neither earns a welcome credit nor uses it up', async () => {
    const { db } = world.server.services;
    const code = { code: 'HELLO', amount_micros: 20_000_000, welcome: true, minimum_micros: 5_000_000 };
    await db
      .insertInto('promotion_codes')
      .values({
        ...code,
        max_uses_per_team: 1,
        percent: null,
        cap_micros: null,
        max_uses: null,
        new_teams_days: null,
        starts_at: null,
        ends_at: null,
        credit_days: null,
        created_by: null,
      })
      .execute();
    await team.send(50n * DOLLAR);
    await world.mine(CONFIRMATIONS);
    await world.read();
    expect((await team.client.call('getBilling')).body as Billing).toMatchObject({
      prepaid: '50.00',
      credits: '0.00',
      welcome_credit: { amount: '20.00', minimum: '5.00' },
    });
    await db.deleteFrom('promotion_codes').where('code', '=', 'HELLO').execute();
  });

  it('is invisible to other teams', async () => {
    await team.send(9n * DOLLAR);
    await world.mine(CONFIRMATIONS);
    await world.read();
    const other = await world.addTeam();
    expect((await other.shown()).deposits).toEqual([]);
    const foreign = other.client.with({ 'x-workspace': team.client.slug ?? '' });
    expect((await foreign.call('getUsdcPayments')).status).toBeGreaterThanOrEqual(400);
  });
});

describe('a reorganization', () => {
  it('drops an unconfirmed deposit, and restores it when it reappears', async () => {
    const snapshot = await world.chain.client.snapshot();
    await team.send(30n * DOLLAR);
    await world.read();
    await world.chain.client.revert({ id: snapshot });
    await world.mine(1);
    await world.read();
    expect((await team.shown()).deposits).toMatchObject([{ state: 'dropped' }]);
    await team.send(30n * DOLLAR);
    await world.mine(CONFIRMATIONS);
    await world.read();
    expect(await team.prepaid()).toBe('30.00');
  });

  it('reverses a credited deposit once nothing finds it anymore, and notifies the payers', async () => {
    const snapshot = await world.chain.client.snapshot();
    await team.send(40n * DOLLAR);
    await world.mine(CONFIRMATIONS);
    await world.read();
    expect(await team.prepaid()).toBe('40.00');
    await world.chain.client.revert({ id: snapshot });
    await world.mine(CONFIRMATIONS + 1);
    // An RPC may lag for some reads.
    await world.read();
    expect(await team.prepaid()).toBe('40.00');
    for (let turn = 0; turn < 25; turn++) await world.read();
    expect(await team.prepaid()).toBe('0.00');
    expect((await team.shown()).deposits).toMatchObject([{ state: 'reversed' }]);
    const [payment] = ((await team.client.call('listTopUps')).body as PaymentPage).items;
    expect(payment).toMatchObject({ state: 'reversed', received: '0.00' });
    const notices = (await team.client.call('listNotifications')).body as NotificationPage;
    expect(notices.data.map(({ title }) => title)).toContain('A USDC deposit was undone');
  });
});

it('is not accepted from a single RPC when two are configured', async () => {
  const lie = await startTestChain();
  try {
    // The second chain has the same token at the same address, and a deposit that the first one never had.
    const forged = await deployContract(lie.client, 'TestUsd');
    expect(forged.address).toBe(world.token.address);
    await lie.client.mine({ blocks: Number(await world.chain.client.getBlockNumber()) + 10 });
    await forged.send('mint', [team.address, 900n * DOLLAR]);
    await world.mine(20);
    await lie.client.mine({ blocks: 20 });
    await world.read([world.gate.url, lie.url]);
    await world.read([lie.url, world.gate.url]);
    // The same holds while the other RPC is down.
    world.gate.mode = 'down';
    await world.read([world.gate.url, lie.url]);
    world.gate.mode = 'open';
    expect(await team.prepaid()).toBe('0.00');
  } finally {
    await lie.stop();
  }
});

it('reads nothing and returns no address on a server without USDC', async () => {
  const plain = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  try {
    const owner = await plain.register();
    expect((await owner.call('getBilling')).body).toMatchObject({ usdc_payments: false });
    expect((await owner.call('getUsdcPayments')).body).toMatchObject({
      address: null,
      networks: [],
      deposits: [],
    });
    expect((await owner.call('createUsdcAddress')).status).toBe(409);
  } finally {
    await plain.stop();
  }
});
