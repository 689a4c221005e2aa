import { expect, it } from 'vitest';
import { eachBounded } from './eachBounded';

it('runs at most the limit at a time and keeps the order of the results', async () => {
  let running = 0;
  let peak = 0;
  const results = await eachBounded([5, 1, 4, 2, 3], 2, async (n) => {
    running += 1;
    peak = Math.max(peak, running);
    for (let i = 0; i < n; i++) await Promise.resolve();
    running -= 1;
    if (n === 4) throw new Error('four');
    return n * 10;
  });
  expect(peak).toBe(2);
  expect(results.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
    50,
    10,
    'Error: four',
    20,
    30,
  ]);
  expect(await eachBounded([], 4, () => Promise.resolve(1))).toEqual([]);
});
