import { expect, it } from 'vitest';
import type { Cvm } from '../../../generated/api/types.gen';
import { readCvmSort, sortCvms, withCvmSort } from './cvmSort';

const cvm = (name: string, status: string, total: string, host: string | null) =>
  ({
    name,
    status,
    desired_status: status === 'stopped' ? 'stopped' : 'running',
    resource: { disk_in_gb: 20 },
    hourly_rate: { total },
    teepod: host === null ? null : { name: host },
  }) as Cvm;
const all = [
  cvm('web-10', 'running', '0.12', 'eu-1'),
  cvm('web-2', 'stopped', '0.06', null),
  cvm('api', 'error', '0.00', 'us-1'),
];
const names = (by: string, descending = false) => sortCvms(all, { by, descending }).map(({ name }) => name);

it('sorts by name with numbers as numbers, by urgency, cost and host', () => {
  expect(names('name')).toEqual(['api', 'web-2', 'web-10']);
  expect(names('name', true)).toEqual(['web-10', 'web-2', 'api']);
  expect(names('status')).toEqual(['api', 'web-10', 'web-2']);
  expect(names('rate', true)).toEqual(['web-10', 'web-2', 'api']);
  // Sorts by current cost: a stopped CVM pays only for its disk, however expensive it is while running.
  const idle = [cvm('idle', 'stopped', '9.00', null), cvm('busy', 'running', '0.12', null)];
  expect(sortCvms(idle, { by: 'rate', descending: true }).map(({ name }) => name)).toEqual(['busy', 'idle']);
  expect(names('host')).toEqual(['web-2', 'web-10', 'api']);
  expect(sortCvms(all, null)).toEqual(all);
});

it('reads and writes the sort in the address and ignores unknown columns', () => {
  expect(readCvmSort('?sort=host&order=desc')).toEqual({ by: 'host', descending: true });
  expect(readCvmSort('?sort=constructor')).toBeNull();
  expect(readCvmSort('')).toBeNull();
  expect(withCvmSort('?sort=host&order=desc&q=x', { by: 'name', descending: false })).toBe('?sort=name&q=x');
});
