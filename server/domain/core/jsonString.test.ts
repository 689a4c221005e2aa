import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { endOfString } from './jsonString';

/** Strings around the length at which the native search starts, with escapes at every position. */
const pieces = fc.array(fc.constantFrom('\\', '"', 'x', 'é', '\n', 'y'.repeat(63), 'z'.repeat(200)), {
  maxLength: 40,
});

it('finds the end of any string, regardless of its length and escapes', () => {
  fc.assert(
    fc.property(pieces, pieces, (inside, after) => {
      const text = JSON.stringify(inside.join(''));
      const json = Buffer.from(`  ${text}${JSON.stringify(after.join(''))}`);
      expect(endOfString(json, 2)).toBe(2 + Buffer.byteLength(text));
    }),
  );
});

it.each(['"', '"a', '"\\"', '"\\', `"${'a'.repeat(1000)}`, `"${'\\"'.repeat(1000)}`])(
  'ends after the bytes if a string does not end: %s',
  (text) => {
    expect(endOfString(Buffer.from(text), 0)).toBe(Buffer.byteLength(text) + 1);
  },
);

it('searches a long string once', () => {
  const bytes = Buffer.from(`"${'\\"'.repeat(100)}${'a'.repeat(1_000_000)}"`);
  const search = vi.spyOn(bytes, 'indexOf');
  expect(endOfString(bytes, 0)).toBe(bytes.length);
  expect(search.mock.calls.length).toBeLessThan(10);
});
