import { expect, it, vi } from 'vitest';
import { createBatches } from './batches';

/** Batches whose runs are ended by the test. */
function startBatches({
  most = 10,
  ...options
}: { most?: number; groupOf?: (item: number) => number; gather_ms?: number; patience_ms?: number } = {}) {
  const runs: {
    items: readonly number[];
    end: (results: string[]) => void;
    fail: (code: string) => void;
  }[] = [];
  const add = createBatches<number, string>({
    run: (items) =>
      new Promise((resolve, reject) =>
        runs.push({
          items,
          end: resolve,
          fail: (code) => reject(Object.assign(new Error(`failed: ${items.join()}`), { code })),
        }),
      ),
    most,
    ...options,
  });
  return { add, runs };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('runs one item immediately, and batches those that arrive in the meantime', async () => {
  const { add, runs } = startBatches({ most: 2 });
  const results = [add(1), add(2), add(3), add(4)];
  expect(runs.map(({ items }) => items)).toEqual([[1]]);
  runs[0]?.end(['a']);
  await turn();
  expect(runs[1]?.items).toEqual([2, 3]);
  runs[1]?.end(['b', 'c']);
  await turn();
  runs[2]?.end(['d']);
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  await turn();
  const last = add(5);
  runs[3]?.end(['e']);
  expect(await last).toBe('e');
});

it('does not let items of one group wait for those of another', async () => {
  const { add, runs } = startBatches({ groupOf: (item) => item % 2 });
  void add(1);
  const other = add(2);
  runs[1]?.end(['b']);
  expect(await other).toBe('b');
});

/** Returns the items' results or errors. */
const outcomes = async (items: readonly Promise<string>[]) =>
  (await Promise.allSettled(items)).map((one) =>
    one.status === 'fulfilled' ? one.value : (one.reason as Error).message,
  );

it('reruns items one by one when one of them violates a constraint, so that only that one fails', async () => {
  const { add, runs } = startBatches();
  const first = add(1);
  const others = outcomes([add(2), add(3)]);
  runs[0]?.end(['a']);
  await first;
  await turn();
  runs[1]?.fail('23503');
  await turn();
  expect(runs[2]?.items).toEqual([2]);
  runs[2]?.fail('23503');
  await turn();
  runs[3]?.end(['c']);
  expect(await others).toEqual(['failed: 2', 'c']);
});

it('fails all items of a run together when the database is away', async () => {
  const { add, runs } = startBatches();
  const first = add(1);
  const others = outcomes([add(2), add(3)]);
  runs[0]?.end(['a']);
  await first;
  await turn();
  runs[1]?.fail('ECONNREFUSED');
  expect(await others).toEqual(['failed: 2,3', 'failed: 2,3']);
  expect(runs).toHaveLength(2);
});

it('does not wait for a hanging run', async () => {
  const { add, runs } = startBatches({ patience_ms: 10 });
  const first = add(1);
  const second = add(2);
  await vi.waitFor(() => expect(runs[1]?.items).toEqual([2]));
  runs[1]?.end(['b']);
  expect(await second).toBe('b');
  runs[0]?.end(['a']);
  expect(await first).toBe('a');
});

it('delays a run to gather more items only while several arrive together', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  try {
    const { add, runs } = startBatches({ gather_ms: 5 });
    const results = [add(1), add(2), add(3)];
    runs[0]?.end(['a']);
    await turn();
    // The first was alone, so the others follow immediately.
    expect(runs[1]?.items).toEqual([2, 3]);
    runs[1]?.end(['b', 'c']);
    await turn();
    results.push(add(4), add(5));
    await turn();
    expect(runs).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(5);
    expect(runs[2]?.items).toEqual([4, 5]);
    runs[2]?.end(['d', 'e']);
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', 'e']);
    await vi.advanceTimersByTimeAsync(5);
    const last = add(6);
    expect(runs[3]?.items).toEqual([6]);
    runs[3]?.end(['f']);
    expect(await last).toBe('f');
  } finally {
    vi.useRealTimers();
  }
});
