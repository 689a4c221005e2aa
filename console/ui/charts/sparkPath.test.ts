import { expect, it } from 'vitest';
import { sparkPath } from './sparkPath';

it('stands on zero and reaches the top with the largest value', () => {
  expect(sparkPath([0, 10], 104, 24).line).toBe('M2 22L102 2');
});
it('breaks at what was not measured', () => {
  const { line, end } = sparkPath([1, null, 1, null], 34, 10);
  expect(line.match(/M/g)).toHaveLength(2);
  expect(end).toBeNull();
});
it('draws a flat zero without dividing by it', () => {
  expect(sparkPath([0, 0], 104, 24).line).toBe('M2 22L102 22');
});
