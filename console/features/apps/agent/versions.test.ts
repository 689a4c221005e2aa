import { expect, it } from 'vitest';
import { earlierThan } from './versions';

const revisions = [4, 3, 2, 1].map((revision_number) => ({ revision_number }));
const numbers = (running: number | null) =>
  earlierThan(running, revisions).map(({ revision_number }) => revision_number);

it('compares with revisions earlier than the running one, not than the newest', () => {
  expect(numbers(4)).toEqual([3, 2, 1]);
  expect(numbers(3)).toEqual([2, 1]);
  expect(numbers(1)).toEqual([]);
});

it('takes the newest for the running one if that is unknown', () => {
  expect(numbers(null)).toEqual([3, 2, 1]);
});
