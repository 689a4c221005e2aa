import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import type { InstanceType } from '../../../../generated/api/types.gen';
import { CUSTOM, emptyForm } from './form';
import { everySize, instanceTypesOptions, refetchOffer, roomOf, sizesOf } from './queries';
import { onlyDisk, sizeOf, toResources } from './resize';

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

const resource = (size: { instance_type: string | null; gpus: number }) => ({
  ...size,
  vcpu: 1,
  memory_in_gb: 2,
  disk_in_gb: 20,
  compute_billing_price: null,
  billing_period: null,
});

it('offers only a larger disk for a CVM with GPUs, which the server accepts', () => {
  const cvm = { instance_type: 'h200.small', resource: resource({ instance_type: 'h200.small', gpus: 1 }) };
  const now = sizeOf(cvm, sizesOf(families, [cvm.instance_type]));
  expect(onlyDisk(cvm)).toContain('only its disk can grow');
  expect(now.size).toBe('h200.small');
  expect(toResources({ ...now, disk_gb: '30' }, now)).toEqual({ disk_size: 30 });
  expect(onlyDisk({ resource: resource({ instance_type: 'tdx.small', gpus: 0 }) })).toBeUndefined();
});

it('sends no custom size that is the current one, which the server refuses', () => {
  const cvm = { instance_type: 'tdx.small', resource: resource({ instance_type: 'tdx.small', gpus: 0 }) };
  const now = sizeOf(cvm, sizesOf(families));
  expect(toResources({ ...now, size: 'custom' }, now)).toBeNull();
  expect(toResources({ ...now, size: 'custom', vcpu: '2' }, now)).toEqual({ vcpu: 2, memory: 2048 });
});

it('waits for the GPUs of a GPU size, and otherwise for the chosen vCPU, memory and disk', () => {
  const wanted = (change: object) => roomOf({ ...emptyForm, ...change }, everySize(families));
  expect(wanted({ size: 'h200.large' })).toEqual({ gpus: 8, vcpu: 0, memory_mb: 0, disk_gb: 0 });
  expect(wanted({ size: 'tdx.small' })).toEqual({ gpus: 0, vcpu: 1, memory_mb: 2048, disk_gb: 20 });
  expect(wanted({ size: 'tdx.small', disk_gb: '60' })?.disk_gb).toBe(60);
  const custom = { size: CUSTOM, vcpu: '3', memory_gb: '1.5' };
  expect(wanted(custom)).toEqual({ gpus: 0, vcpu: 3, memory_mb: 1536, disk_gb: 20 });
  expect(wanted({ ...custom, vcpu: '' })).toBeNull();
  // Hosts that weren't chosen may have room already.
  for (const only of [{ place: 'region:eu' }, { kms: 'kms_1' }, { image: 'dstack-0.6' }])
    expect(wanted({ size: 'tdx.small', ...only })).toBeNull();
});

it('refetches prices and sizes once an offer is over, of this team only', async () => {
  const client = new QueryClient();
  const keys = [
    ['deploy-preflight', 'acme', { name: 'my-app' }],
    instanceTypesOptions().queryKey,
    ['deploy-preflight', 'other', null],
  ];
  for (const key of keys) client.setQueryData(key, {});
  await refetchOffer(client, 'acme');
  expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, false]);
});
