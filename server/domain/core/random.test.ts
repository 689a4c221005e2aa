import { expect, it } from 'vitest';
import { fewRandomBytes } from './random';

it('are as long as requested, and never the same', () => {
  const seen = new Set<string>();
  for (let n = 0; n < 2_000; n++) {
    const bytes = fewRandomBytes(16 + (n % 48));
    expect(bytes).toHaveLength(16 + (n % 48));
    seen.add(bytes.toString('hex'));
  }
  expect(seen.size).toBe(2_000);
});

it('stay intact when others are handed out', () => {
  const first = fewRandomBytes(32);
  const before = first.toString('hex');
  for (let n = 0; n < 500; n++) fewRandomBytes(64);
  expect(first.toString('hex')).toBe(before);
  expect(before).not.toMatch(/^0+$/);
});

it("are refused in sizes above the pool's limit", () => {
  for (const size of [0, 65, 1.5, Number.NaN]) expect(() => fewRandomBytes(size)).toThrow(RangeError);
});
