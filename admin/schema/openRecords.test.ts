import { expect, it } from 'vitest';
import { matching, typesOf } from './openRecords';

const type = (id: string, name: string) => ({
  id,
  name,
  description: '',
  vcpu: 1,
  memory_mb: 2048,
  hourly_rate: '0.058',
  requires_gpu: false,
  gpu_count: 0,
  default_disk_size_gb: 20,
  family: null,
});
const records = typesOf({
  result: [
    { name: 'cpu', items: [type('tdx.small', 'Small'), type('tdx.large', 'Large')], total: 2 },
    { name: 'gpu', items: [type('h200.small', 'H200')], total: 1 },
  ],
});

it('offers types from all families', () => {
  expect(records.map(({ id }) => id)).toEqual(['tdx.small', 'tdx.large', 'h200.small']);
});

it('finds them by ID or name, in any letter case', () => {
  const found = (q: string) => matching(records, q).map(({ id }) => id);
  expect(found('SMALL')).toEqual(['tdx.small', 'h200.small']);
  expect(found('large')).toEqual(['tdx.large']);
  expect(found('')).toHaveLength(3);
  expect(found('sev')).toEqual([]);
});
