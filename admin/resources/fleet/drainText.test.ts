import { expect, it } from 'vitest';
import { drained, drainText } from './drainText';

const drain = {
  total_cvms: 5,
  waiting_cvms: 0,
  moved_cvms: 0,
  stopped_cvms: 0,
  already_stopped_cvms: 0,
  blocked_cvms: 0,
  cancelled_cvms: 0,
};

it('shows a drain’s progress', () => {
  const running = { ...drain, moved_cvms: 2, stopped_cvms: 1, blocked_cvms: 1, waiting_cvms: 1 };
  expect(drainText(running)).toBe('3 of 5 CVMs drained: 2 moved, 1 stopped, 1 blocked, 1 to go.');
  expect(drained(running)).toBe(3);
});

it('distinguishes CVMs it stopped from those already stopped', () => {
  const over = { ...drain, stopped_cvms: 3, already_stopped_cvms: 2 };
  expect(drainText(over)).toBe('5 of 5 CVMs drained: 3 stopped, 2 already stopped.');
  expect(drained(over)).toBe(5);
});

it('shows how many CVMs a canceled drain left', () => {
  expect(drainText({ ...drain, cancelled_cvms: 5 })).toBe('0 of 5 CVMs drained: 5 canceled.');
});

it('counts a CVM deleted during the drain as drained', () => {
  expect(drainText({ ...drain, total_cvms: 1 })).toBe('1 of 1 CVM drained.');
  expect(drainText({ ...drain, total_cvms: 0 })).toBe('No CVMs on this host.');
});
