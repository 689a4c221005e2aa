import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { troublesOf } from '../../db/platform/alertTroubles';
import { startRpcGate, type RpcGate } from '../../testing/chain';
import {
  CONFIRMATIONS,
  DOLLAR,
  floods,
  startUsdcWorld,
  type UsdcTeam,
  type UsdcWorld,
} from './testing/usdcWorld';

/* Unreadable blocks delay nobody else, and don't go unnoticed. */

let world: UsdcWorld;
let team: UsdcTeam;
let next: UsdcTeam;
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
  next = await world.addTeam();
  await readBoth();
});

/** Mines more blocks than the reread window. */
const leaveWindow = () => world.mine(CONFIRMATIONS * 10 + 20);
const readBoth = () => world.read([world.gate.url, other.url]);
const network = async (of = team) => (await of.shown()).networks[0];
const isCurrent = async (of = team) => (await network(of))?.current;

/** Makes an RPC return no data for some blocks. */
const lacks =
  (
    isMissing: (block: number) => boolean,
    failure: NonNullable<ReturnType<NonNullable<RpcGate['answers']>>>,
  ) =>
  ({ method, from, to }: { method: string; from: number; to: number }) => {
    if (method !== 'eth_getLogs') return null;
    for (let block = from; block <= to; block++) if (isMissing(block)) return failure;
    return null;
  };
const TRIE = { status: 200, error: { code: -32000, message: 'missing trie node' } };

/** Moves time to the next lookup, hours later, when an alert is due. */
async function later(hours = 3): Promise<void> {
  const { db } = world.server.services;
  const at = new Date(Date.now() - hours * 3_600_000);
  await db.updateTable('usdc_deposits').set({ looked_at: at }).where('looked_at', 'is not', null).execute();
  await db.updateTable('usdc_gaps').set({ looked_at: at, found_at: at }).execute();
  await db.updateTable('usdc_unread').set({ since: at }).execute();
  await db.updateTable('usdc_networks').set({ read_at: at }).execute();
}
const alerts = async () =>
  (await troublesOf(world.server.services.db))
    .filter(({ kind }) => kind === 'usdc_not_current')
    .map(({ severity, message }) => `${severity}: ${message}`);

describe.each([
  ['refuses', TRIE],
  ['fails on', { status: 500 }],
])('a block that every RPC %s', (_, failure) => {
  it('delays no other deposits, and is read once it can be', async () => {
    const { blockNumber } = await team.send(11n * DOLLAR);
    await next.send(12n * DOLLAR);
    await world.mine(CONFIRMATIONS);
    for (const gate of [world.gate, other])
      gate.answers = lacks((block) => block === Number(blockNumber), failure);
    await readBoth();
    expect([await team.prepaid(), await next.prepaid()]).toEqual(['0.00', '12.00']);
    expect(await network()).toMatchObject({
      current: false,
      not_current_since: expect.any(String) as string,
    });
    expect(await alerts()).toEqual([]);
    await later(1);
    expect(await alerts()).toEqual([
      `warning: No RPC returned 1 blocks from ${blockNumber} to ${blockNumber}. Add one that keeps the whole history.`,
    ]);
    await leaveWindow();
    await readBoth();
    for (const gate of [world.gate, other]) gate.answers = null;
    await readBoth();
    expect(await team.prepaid()).toBe('11.00');
    expect(await network()).toMatchObject({ current: true, not_current_since: null });
    expect(await alerts()).toEqual([]);
  });
});

it('delays no others behind a range that every RPC has deleted', { timeout: 400_000 }, async () => {
  await team.send(13n * DOLLAR);
  await world.mine(100);
  const start = Number(await world.chain.client.getBlockNumber({ cacheTime: 0 })) - 20;
  await next.send(14n * DOLLAR);
  await world.mine(CONFIRMATIONS);
  for (const gate of [world.gate, other]) gate.answers = lacks((block) => block < start, TRIE);
  // Blocks skipped with it are found after a few runs.
  for (let turn = 0; turn < 12 && (await next.prepaid()) === '0.00'; turn++) await readBoth();
  expect(await next.prepaid()).toBe('14.00');
  for (const gate of [world.gate, other]) gate.answers = null;
  await readBoth();
  expect([await team.prepaid(), await isCurrent()]).toEqual(['13.00', true]);
});

it("shows since when one of two RPCs has been silent, and the other one's data", async () => {
  other.mode = 'silent';
  await team.send(15n * DOLLAR);
  await world.mine(CONFIRMATIONS);
  await readBoth();
  expect((await team.shown()).deposits).toMatchObject([{ state: 'pending', amount: '15.00' }]);
  expect(await network()).toMatchObject({ current: false, not_current_since: expect.any(String) as string });
  await later(1);
  expect(await alerts()).toEqual([expect.stringContaining('warning: Only one of two RPCs returned')]);
  other.mode = 'open';
  await readBoth();
  expect([await team.prepaid(), await isCurrent()]).toEqual(['15.00', true]);
});

it('alerts about blocks that only one RPC still has, until another one has them too', async () => {
  other.mode = 'down';
  await readBoth();
  await team.send(16n * DOLLAR);
  await leaveWindow();
  await readBoth();
  const pruned = Number(await world.chain.client.getBlockNumber({ cacheTime: 0 }));
  await leaveWindow();
  await readBoth();
  other.mode = 'open';
  other.answers = lacks((block) => block <= pruned, TRIE);
  await next.send(17n * DOLLAR);
  await world.mine(CONFIRMATIONS);
  for (let turn = 0; turn < 8; turn++) await readBoth();
  expect([await team.prepaid(), await next.prepaid(), await isCurrent(next)]).toEqual([
    '0.00',
    '17.00',
    false,
  ]);
  await later(30);
  expect(await alerts()).toEqual([
    expect.stringMatching(/^critical: Only one of two RPCs returned \d+ blocks/),
  ]);
  await world.read([world.gate.url, other.url, world.chain.url]);
  await world.read([world.gate.url, world.chain.url]);
  await world.read([world.gate.url, world.chain.url]);
  expect([await team.prepaid(), await isCurrent()]).toEqual(['16.00', true]);
  expect(await alerts()).toEqual([]);
});

it('alerts about the newest blocks, and about transfers unknown for a day', async () => {
  const { blockNumber } = await team.send(18n * DOLLAR);
  world.gate.answers = floods(team.address, Number(blockNumber));
  await world.read();
  expect([await isCurrent(team), await isCurrent(next)]).toEqual([false, true]);
  await later(23);
  expect(await alerts()).toEqual([]);
  await later(25);
  expect(await alerts()).toEqual([expect.stringMatching(/^critical: .*one team in one block/)]);
  world.gate.answers = null;
  world.gate.mode = 'down';
  await world.read();
  expect(await alerts()).toHaveLength(2);
  world.gate.mode = 'open';
  await world.read();
  expect([await alerts(), await isCurrent()]).toEqual([[], true]);
});

describe('a lookup', () => {
  it('reads one block, regardless of errors in the following ones', async () => {
    const { blockNumber } = await team.send(19n * DOLLAR);
    await readBoth();
    for (const gate of [world.gate, other]) gate.mode = 'no_logs';
    await readBoth();
    await leaveWindow();
    await readBoth();
    expect((await team.shown()).deposits).toMatchObject([{ state: 'dropped' }]);
    for (const gate of [world.gate, other])
      Object.assign(gate, {
        mode: 'open',
        answers: lacks((block) => block === Number(blockNumber) + 2, { status: 500 }),
      });
    await later();
    await readBoth();
    expect(await team.prepaid()).toBe('19.00');
  });

  it('runs first for deposits that all RPCs knew, not for those made up by one', async () => {
    const { db } = world.server.services;
    await team.send(20n * DOLLAR);
    await readBoth();
    for (const gate of [world.gate, other]) gate.mode = 'no_logs';
    await readBoth();
    await leaveWindow();
    await readBoth();
    const [honest] = await db
      .selectFrom('usdc_deposits')
      .selectAll()
      .where('amount_micros', '=', 20_000_000)
      .execute();
    expect(honest?.state).toBe('dropped');
    await later();
    const { id: _id, ...row } = honest!;
    await db
      .insertInto('usdc_deposits')
      .values(
        Array.from({ length: 60 }, (_one, log_index) => ({
          ...row,
          tx_hash: `0x${'ab'.repeat(32)}`,
          log_index,
          state: 'pending' as const,
          agreed_at: null,
          looked_at: null,
        })),
      )
      .execute();
    for (const gate of [world.gate, other]) gate.mode = 'open';
    await readBoth();
    expect(await team.prepaid()).toBe('20.00');
  });
});
