import { expect, it } from 'vitest';
import { inPlaceOf } from './focusBefore';

it('finds what takes the place of a control that disappeared', () => {
  // Stop, after which “Open” came while the CVM ran, gives way to Start.
  expect(inPlaceOf(['Start'], 0)).toBe('Start');
  expect(inPlaceOf(['Start'], 1)).toBe('Start');
  expect(inPlaceOf(['Restart', 'Stop'], 0)).toBe('Stop');
  expect(inPlaceOf(['Change…'], 1)).toBe('Change…');
  expect(inPlaceOf([], 0)).toBeUndefined();
});
