import { expect, it } from 'vitest';
import { nextRun } from './adminSystemResponse';

it('omits a next run that has passed but may not be recorded yet', () => {
  const now = Date.parse('2026-11-21T08:00:00Z');
  const at = (seconds: number) => new Date(now + seconds * 1000);
  expect(nextRun(at(5), now)).toEqual(at(5));
  expect(nextRun(at(-7), now)).toBeNull();
  // Late.
  expect(nextRun(at(-120), now)).toEqual(at(-120));
  expect(nextRun(null, now)).toBeNull();
});
