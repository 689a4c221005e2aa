import { expect, it } from 'vitest';
import { costFile } from './costFile';

const group = { app_id: null, deleted: false, count: 1 };

it('has a line per day and group, and a descriptive name', () => {
  const { name, content } = costFile('acme', {
    from: '2026-11-01T00:00:00Z',
    group_by: 'instance_type',
    days: ['1.50', '0.20'],
    groups: [
      {
        ...group,
        kind: 'instance_type',
        key: 'tdx.small',
        name: null,
        amount: '1.60',
        days: ['1.50', '0.10'],
      },
      { ...group, kind: 'instance_type', key: 'custom', name: null, amount: '0.10', days: ['0', '0.10'] },
    ],
  });
  expect(name).toBe('acme-cost-by-instance-type-2026-11-01.csv');
  expect(content.split('\r\n')).toEqual([
    'day,instance type,id,usd',
    '2026-11-01,tdx.small,tdx.small,1.50',
    '2026-11-02,tdx.small,tdx.small,0.10',
    '2026-11-02,Custom size,custom,0.10',
    '',
  ]);
});

it('never contains a formula in a group name', () => {
  const { content } = costFile('acme', {
    from: '2026-11-01T00:00:00Z',
    group_by: 'app',
    days: ['1'],
    groups: [{ ...group, kind: 'app', key: 'ab', name: '=1+1', amount: '1', days: ['1'] }],
  });
  expect(content).toContain(`2026-11-01,"'=1+1",ab,1`);
});
