import { expect, it, vi } from 'vitest';
import { Problem } from '../../../domain/core/problem';
import type { SheetRow } from '../../../domain/core/sheet';
import type { Context, StreamReply } from '../../types';
import { usageFile } from './usageFile';

const window = { from: new Date('2026-11-01'), to: new Date('2026-12-01') };
const closing: AbortController[] = [];

function ask(team_id: number, format: 'csv' | 'xlsx' = 'xlsx'): StreamReply | Problem {
  async function* batches(): AsyncGenerator<SheetRow[]> {
    yield [['app']];
  }
  const closes = new AbortController();
  closing.push(closes);
  const ctx = { signal: closes.signal, caller: { team: { id: team_id } } } as unknown as Context;
  try {
    return usageFile(ctx, { of: 'acme', window, format, columns: ['app'], batches: batches() });
  } catch (error) {
    return error as Problem;
  }
}
const isGiven = (reply: StreamReply | Problem): reply is StreamReply => !(reply instanceof Problem);
async function read(reply: StreamReply | Problem): Promise<void> {
  if (!isGiven(reply)) throw reply;
  for await (const _ of reply.stream);
}

it('writes one spreadsheet per team and three in total concurrently; CSV is not limited', async () => {
  const first = ask(1);
  expect(ask(1)).toMatchObject({ status: 429, message: 'Another export for this team is in progress.' });
  expect(isGiven(ask(1, 'csv'))).toBe(true);
  expect([ask(2), ask(3)].every(isGiven)).toBe(true);
  const refused = ask(4);
  expect(refused).toMatchObject({ status: 429, message: '3 other exports are in progress.' });
  expect((refused as Problem).info.retryAfter).toBe(10);

  await read(first);
  const again = ask(1);
  expect(isGiven(again)).toBe(true);
  // One closed halfway, and others never read.
  if (isGiven(again)) {
    const pieces = again.stream[Symbol.asyncIterator]();
    await pieces.next();
    await pieces.return?.();
  }
  for (const closes of closing) closes.abort(new Error('closed'));
  expect([ask(1), ask(2), ask(3)].every(isGiven)).toBe(true);
  for (const closes of closing) closes.abort(new Error('closed'));
});

it('limits a spreadsheet to ten minutes, so that stalled readers don’t block others', async () => {
  vi.useFakeTimers();
  try {
    const slow = [1, 2, 3].map((team_id) => ask(team_id));
    const readers = slow.map((reply) => (isGiven(reply) ? reply.stream[Symbol.asyncIterator]() : null));
    // One has read the start, the others nothing.
    await readers[0]?.next();
    vi.advanceTimersByTime(9 * 60_000);
    expect(slow.some((reply) => isGiven(reply) && reply.until?.aborted)).toBe(false);
    expect(ask(4)).toMatchObject({ status: 429 });
    vi.advanceTimersByTime(60_000);
    expect([ask(1), ask(4)].every(isGiven)).toBe(true);
    // A response waiting for its reader is cut off.
    expect(slow.map((reply) => isGiven(reply) && reply.until?.aborted)).toEqual([true, true, true]);
    for (const pieces of readers)
      await expect(rest(pieces)).rejects.toThrow('The download was too slow and timed out.');
  } finally {
    for (const closes of closing) closes.abort(new Error('closed'));
    vi.useRealTimers();
  }
});

async function rest(pieces: AsyncIterator<unknown> | null): Promise<void> {
  for (let next = await pieces?.next(); next && !next.done; next = await pieces?.next());
}
