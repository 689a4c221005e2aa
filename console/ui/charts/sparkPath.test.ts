import { expect, it } from 'vitest';
import { sparkPath } from './sparkPath';

it('starts at zero and peaks at the largest value', () => {
  expect(sparkPath([0, 10], 104, 24).line).toBe('M2 22L102 2');
});
it('breaks at missing values', () => {
  const { line, end } = sparkPath([1, null, 1, null], 34, 10);
  expect(line.match(/M/g)).toHaveLength(2);
  expect(end).toBeNull();
});
it('draws a flat line if all values are zero', () => {
  expect(sparkPath([0, 0], 104, 24).line).toBe('M2 22L102 22');
});
