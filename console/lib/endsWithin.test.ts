import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { endsWithin } from './endsWithin';

it('tells whether the work ended in time, and throws its error', async () => {
  expect(await endsWithin(Promise.resolve('done'), 1_000)).toBe(true);
  expect(await endsWithin(new Promise(() => undefined), 1)).toBe(false);
  await expect(endsWithin(Promise.reject(new Error('failed')), 1_000)).rejects.toThrow('failed');
});

it('leaves no timer behind, and no unhandled error of work that fails later', async () => {
  const clear = vi.spyOn(globalThis, 'clearTimeout');
  await endsWithin(Promise.resolve(), 60_000);
  expect(clear).toHaveBeenCalledTimes(1);
  clear.mockRestore();
  const fails = wait(5).then(() => Promise.reject(new Error('too late')));
  expect(await endsWithin(fails, 1)).toBe(false);
  await wait(10);
});
