import { expect, it } from 'vitest';
import type { InstanceType } from '../../../../generated/api/types.gen';
import { everySize, sizesOf } from './queries';

const size = (id: string, gpu_count: number): InstanceType => ({
  id,
  name: id,
  description: id,
  family: gpu_count > 0 ? 'gpu' : 'cpu',
  vcpu: 1,
  memory_mb: 2048,
  default_disk_size_gb: 20,
  hourly_rate: '0.058',
  requires_gpu: gpu_count > 0,
  gpu_count,
});
const families = {
  result: [{ items: [size('tdx.small', 0)] }, { items: [size('h200.small', 1), size('h200.large', 8)] }],
};

const ids = (chosen?: readonly string[]) => sizesOf(families, chosen).map(({ id }) => id);

it('offers a GPU size only if it is already chosen', () => {
  expect(ids()).toEqual(['tdx.small']);
  expect(ids(['h200.small'])).toEqual(['tdx.small', 'h200.small']);
  expect(everySize(families)).toHaveLength(3);
});

it('still offers a GPU size after another was chosen', () => {
  expect(ids(['tdx.small', 'h200.small'])).toEqual(['tdx.small', 'h200.small']);
  expect(ids(['custom', 'h200.large', 'h200.small'])).toEqual(['tdx.small', 'h200.small', 'h200.large']);
});
