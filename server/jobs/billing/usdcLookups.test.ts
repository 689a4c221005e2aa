import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRpcGate, type RpcGate } from '../../testing/chain';
import {
  CONFIRMATIONS,
  DOLLAR,
  floods,
  startUsdcWorld,
  type UsdcTeam,
  type UsdcWorld,
} from './testing/usdcWorld';

/* No deposit is forgotten, whatever an RPC hides and for however long. */

let world: UsdcWorld;
let team: UsdcTeam;
/** A second RPC of the same chain. */
let other: RpcGate;

beforeAll(async () => {
  world = await startUsdcWorld();
  other = await startRpcGate(world.chain);
});
afterAll(async () => {
  await other?.close();
  await world?.stop();
});
beforeEach(async () => {
  for (const gate of [world.gate, other]) Object.assign(gate, { mode: 'open', answers: null });
  team = await world.addTeam();
  await world.read();
});

/** Mines more blocks than the reread window. */
const leaveWindow = () => world.mine(CONFIRMATIONS * 10 + 20);
const states = async () => (await team.shown()).deposits.map(({ state }) => state);
/** Reads with both RPCs in both orders, because the order must not matter. */
const readBoth = async () => {
  await world.read([world.gate.url, other.url]);
  await world.read([other.url, world.gate.url]);
};
/** Moves time to the next lookup, hours later. */
async function later(): Promise<void> {
  const { db } = world.server.services;
  const looked_at = new Date(Date.now() - 3 * 3_600_000);
  await db.updateTable('usdc_deposits').set({ looked_at }).where('looked_at', 'is not', null).execute();
  await db.updateTable('usdc_gaps').set({ looked_at }).execute();
}

describe('a deposit that an RPC hides', () => {
  it('is credited once the RPC shows it again, long after its block was last read', async () => {
    await team.send(15n * DOLLAR);
    await world.read();
    expect(await states()).toEqual(['pending']);
    world.gate.mode = 'no_logs';
    await leaveWindow();
    await world.read();
    expect(await states()).toEqual(['dropped']);
    await leaveWindow();
    await world.read();
    world.gate.mode = 'open';
    await later();
    await world.read();
    expect(await team.prepaid()).toBe('15.00');
    await later();
    await world.read();
    expect(await team.prepaid()).toBe('15.00');
  });

  it('waits for the second RPC for as long as that one hides it', async () => {
    await team.send(16n * DOLLAR);
    other.mode = 'no_logs';
    await readBoth();
    await leaveWindow();
    for (let turn = 0; turn < 3; turn++) {
      await later();
      await readBoth();
    }
    expect([await states(), await team.prepaid()]).toEqual([['pending'], '0.00']);
    other.mode = 'open';
    await later();
    await readBoth();
    expect([await states(), await team.prepaid()]).toEqual([['credited'], '16.00']);
  });

  it('is found when the second RPC is back, even if it was never seen', async () => {
    await readBoth();
    world.gate.mode = 'no_logs';
    other.mode = 'down';
    await team.send(17n * DOLLAR);
    for (let turn = 0; turn < 3; turn++) {
      await leaveWindow();
      await readBoth();
    }
    expect(await states()).toEqual([]);
    world.gate.mode = 'open';
    other.mode = 'open';
    await readBoth();
    expect(await team.prepaid()).toBe('17.00');
  });

  it('is not given up because of one RPC while the other is down', async () => {
    await team.send(18n * DOLLAR);
    await readBoth();
    world.gate.mode = 'no_logs';
    other.mode = 'down';
    await readBoth();
    expect(await states()).toEqual(['pending']);
  });

  it('is credited again after it was reversed', async () => {
    await team.send(19n * DOLLAR);
    await world.mine(CONFIRMATIONS);
    await world.read();
    expect(await team.prepaid()).toBe('19.00');
    world.gate.mode = 'no_logs';
    for (let turn = 0; turn < 25; turn++) await world.read();
    expect([await states(), await team.prepaid()]).toEqual([['reversed'], '0.00']);
    await leaveWindow();
    await world.read();
    world.gate.mode = 'open';
    await later();
    await world.read();
    expect([await states(), await team.prepaid()]).toEqual([['credited'], '19.00']);
  });
});

it('retries the transfers of a block that an RPC did not return', async () => {
  const { blockNumber } = await team.send(21n * DOLLAR);
  await world.mine(CONFIRMATIONS);
  world.gate.answers = floods(team.address, Number(blockNumber));
  await world.read();
  await leaveWindow();
  await world.read();
  await leaveWindow();
  await world.read();
  expect([await states(), await team.prepaid()]).toEqual([[], '0.00']);
  // Still too many transfers an hour later.
  await later();
  await world.read();
  world.gate.answers = null;
  await later();
  await world.read();
  expect(await team.prepaid()).toBe('21.00');
  expect(await world.server.services.db.selectFrom('usdc_gaps').selectAll().execute()).toEqual([]);
});

it('does not lose new deposits to a block that an RPC no longer has', async () => {
  const { blockNumber } = await team.send(22n * DOLLAR);
  await world.read();
  world.gate.mode = 'no_logs';
  await world.read();
  await leaveWindow();
  await world.read();
  expect(await states()).toEqual(['dropped']);
  world.gate.mode = 'open';
  world.gate.answers = ({ method, from }) =>
    method === 'eth_getLogs' && from <= Number(blockNumber)
      ? { status: 200, error: { code: -32000, message: 'missing trie node' } }
      : null;
  await later();
  const next = await world.addTeam();
  await next.send(23n * DOLLAR);
  await world.mine(CONFIRMATIONS);
  await world.read();
  expect(await next.prepaid()).toBe('23.00');
  expect((await next.shown()).networks).toMatchObject([{ current: true }]);
});
