import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Db } from '../../db/core/client';
import type { EndedAiKey } from '../../db/ai/aiKeys';
import { createKeyWatch } from './keyWatch';

/** Key checks answered by the test. */
function startWatch() {
  const looks: { ids: readonly number[]; answer: (ended: EndedAiKey[]) => void; fail: () => void }[] = [];
  const watch = createKeyWatch(
    { db: null as unknown as Db, log: pino({ level: 'silent' }) },
    {
      ended: (ids) =>
        new Promise((resolve, reject) =>
          looks.push({ ids, answer: resolve, fail: () => reject(new Error('lost')) }),
        ),
    },
  );
  /** Starts an answer in progress with a key. */
  const begin = (id: number) => {
    const answer = new AbortController();
    return { signal: answer.signal, stop: watch({ id }, answer) };
  };
  return { begin, looks };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

it('ends an invalidated key’s answers within a second, and no others', async () => {
  const { begin, looks } = startWatch();
  const [first, second, other] = [begin(1), begin(1), begin(2)];
  await seconds(1);
  expect(looks.map(({ ids }) => ids)).toEqual([[1, 2]]);
  looks[0]?.answer([{ id: 1, is_off: false }]);
  await seconds(0);
  expect([first, second, other].map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
  expect(first.signal.reason).toMatchObject({ status: 401, code: 'invalid_api_key' });
});

it('runs one check at a time, however many answers start in the meantime', async () => {
  const { begin, looks } = startWatch();
  begin(1);
  await seconds(1);
  for (let id = 2; id < 50; id++) {
    begin(id);
    await seconds(1);
  }
  expect(looks).toHaveLength(1);
  looks[0]?.answer([]);
  await seconds(1);
  expect(looks.map(({ ids }) => ids.length)).toEqual([1, 49]);
  looks[1]?.answer([]);
  await seconds(1);
  expect(looks).toHaveLength(3);
});

it('continues after a failed check', async () => {
  const { begin, looks } = startWatch();
  const { signal } = begin(1);
  await seconds(1);
  looks[0]?.fail();
  await seconds(1);
  looks[1]?.answer([{ id: 1, is_off: false }]);
  await seconds(0);
  expect(signal.aborted).toBe(true);
});

it('checks nothing while no answer is in progress', async () => {
  const { begin, looks } = startWatch();
  const { stop } = begin(1);
  stop();
  await seconds(1);
  looks[0]?.answer([]);
  await seconds(60);
  expect(looks.length).toBeLessThanOrEqual(1);
  begin(2);
  await seconds(1);
  expect(looks.at(-1)?.ids).toEqual([2]);
});
