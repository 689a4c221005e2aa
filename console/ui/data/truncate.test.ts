import { describe, expect, it } from 'vitest';
import { shortHex, shortId, truncateMiddle } from './truncate';

it('keeps both ends and the requested length', () => {
  expect(truncateMiddle('app_3f2a77cc0b9b5dd19c01', 13)).toBe('app_3f…d19c01');
  expect([...truncateMiddle('a'.repeat(64), 16)]).toHaveLength(16);
});
it('leaves short text unchanged and never lengthens it', () => {
  expect(truncateMiddle('short', 16)).toBe('short');
  expect(truncateMiddle('sixteen-letters!', 16)).toBe('sixteen-letters!');
});
it('does not split an emoji', () => {
  expect(truncateMiddle('🏠🏠🏠🏠🏠🏠🏠🏠', 5)).toBe('🏠🏠…🏠🏠');
});

describe('shortHex and shortId', () => {
  const ADDRESS = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
  const HASH = '8bacab91dee715781b2dc931d5262eb7803bb894ba04ba827cea393b0465d38e';

  it('shortens an address and a hash to the same digits everywhere', () => {
    for (const most of [undefined, 14, 16, 18, 22, 26]) {
      expect(shortId(ADDRESS, most)).toBe('0x709979…dc79c8');
      expect(shortId(`0x${HASH}`, most)).toBe('0x8bacab…65d38e');
    }
    // Comparable with the same hash without 0x.
    expect(shortId(HASH)).toBe('8bacab…65d38e');
  });

  it('shows an ID in full if requested', () => {
    expect(shortId(ADDRESS, 42)).toBe(ADDRESS);
    expect(shortId(ADDRESS, 0)).toBe(ADDRESS);
  });

  it('applies the given length to other IDs and long keys', () => {
    expect(shortHex('app_3f2a')).toBeNull();
    expect(shortId('487ab300-8d0c-4c7c-8449-145bc83f4622')).toBe('487ab300…83f4622');
    expect(shortId(HASH, 26)).toBe(truncateMiddle(HASH, 26));
  });
});
