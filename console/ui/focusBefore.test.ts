import { expect, it } from 'vitest';
import { inPlaceOf, rowInPlaceOf } from './focusBefore';

it('finds what takes the place of a control that disappeared', () => {
  // Stop, after which “Open” came while the CVM ran, gives way to Start.
  expect(inPlaceOf(['Start'], 0)).toBe('Start');
  expect(inPlaceOf(['Start'], 1)).toBe('Start');
  expect(inPlaceOf(['Restart', 'Stop'], 0)).toBe('Stop');
  expect(inPlaceOf(['Change…'], 1)).toBe('Change…');
  expect(inPlaceOf([], 0)).toBeUndefined();
});

it('finds the row that takes the place of one that disappeared', () => {
  expect(rowInPlaceOf(0, 3)).toBe(0);
  expect(rowInPlaceOf(1, 3)).toBe(1);
  // The last row has none after it.
  expect(rowInPlaceOf(3, 3)).toBe(2);
  expect(rowInPlaceOf(0, 0)).toBe(-1);
});
