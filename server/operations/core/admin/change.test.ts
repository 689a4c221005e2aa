import { expect, it } from 'vitest';
import { changesOf } from './change';

it('leaves out values that are the same, including times and lists', () => {
  const row = {
    name: 'spring',
    ends_at: new Date('2026-12-01T00:00:00Z'),
    alerts: ['hosts', 'mail'],
    limits: { cvms: 2, disk: 10 },
    note: null as string | null,
  };
  const same = {
    name: 'spring',
    ends_at: new Date('2026-12-01T01:00:00+01:00'),
    alerts: ['hosts', 'mail'],
    limits: { disk: 10, cvms: 2 },
    note: null,
  };
  expect(changesOf(row, same)).toEqual({});
  const other = {
    name: undefined,
    ends_at: new Date('2026-12-02T00:00:00Z'),
    alerts: ['mail', 'hosts'],
    limits: { cvms: 3, disk: 10 },
    note: '',
  };
  const { name: _, ...changed } = other;
  expect(changesOf(row, other)).toEqual(changed);
});
