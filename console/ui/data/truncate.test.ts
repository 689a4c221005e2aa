import { expect, it } from 'vitest';
import { truncateMiddle } from './truncate';

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
