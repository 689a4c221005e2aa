import { expect, it } from 'vitest';
import { newestFirst, reasonOf } from './events';

it('lists a host event that arrived late at the time it happened', () => {
  const events = [
    { id: '13', created_at: '2026-11-23T10:00:02Z' },
    { id: '12', created_at: '2026-11-23T10:00:05Z' },
    { id: '11', created_at: '2026-11-23T10:00:05Z' },
    { id: '10', created_at: '2026-11-23T10:00:00Z' },
  ];
  expect(events.toSorted(newestFirst).map(({ id }) => id)).toEqual(['12', '11', '13', '10']);
});

it('reads the reason only from a requested change', () => {
  expect(reasonOf({ kind: 'update.requested', data: { reason: 'Rotated the API key' } })).toBe(
    'Rotated the API key',
  );
  expect(reasonOf({ kind: 'update.requested', data: {} })).toBeNull();
  expect(reasonOf({ kind: 'cvm.drift', data: { reason: 'host_restarted' } })).toBeNull();
});
