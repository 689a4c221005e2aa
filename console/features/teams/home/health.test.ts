import { expect, it } from 'vitest';
import { cvmsIn, healthOf } from './health';

const summary = (counts: Record<string, number>) => ({
  cvm_count: Object.values(counts).reduce((sum, n) => sum + n, 0),
  statuses: Object.entries(counts).map(([status, cvm_count]) => ({ status, cvm_count })),
});
const word = (counts: Record<string, number>) => healthOf(summary(counts))?.word ?? null;

it('names what needs attention first, then changes in progress', () => {
  expect(word({ running: 3, error: 1, lost: 1, starting: 1 })).toBe('2 CVMs need attention');
  expect(word({ running: 3, lost: 1 })).toBe('1 CVM needs attention');
  expect(word({ running: 3, starting: 1, stopping: 1 })).toBe('2 changing');
  expect(word({ stopped: 3, shutting_down: 1 })).toBe('1 changing');
  expect(word({ running: 1300, stopped: 1 })).toBe('1,300 running');
  expect(word({ running: 3 })).toBe('All running');
  expect(word({ stopped: 3 })).toBe('All stopped');
  expect(word({})).toBeNull();
});

it('adds up statuses', () => {
  expect(cvmsIn(summary({ error: 2, lost: 1, running: 5 }), 'error', 'lost')).toBe(3);
  expect(cvmsIn(summary({}), 'running')).toBe(0);
});
