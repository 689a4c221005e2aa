import { describe, expect, it } from 'vitest';
import { hasGpus, pickGpus, whyNoGpus, type GpuStock } from './gpuFit';

const stock = (product_id: string | null, free: number, more: Partial<GpuStock> = {}): GpuStock => ({
  teepod_id: 1,
  name: 'eu-1',
  product_id,
  free,
  used: 0,
  kept: 0,
  broken: 0,
  all: free,
  ...more,
});
const H200 = { product_id: 'h200', name: 'NVIDIA H200' };

describe('GPUs are given', () => {
  it('by product first, so that one for any does not take the last of a product', () => {
    const free = [{ product_id: 'h200' }, { product_id: 'l40' }];
    expect(pickGpus(free, [null, 'h200'])).toEqual([{ product_id: 'h200' }, { product_id: 'l40' }]);
    expect(pickGpus(free, ['h200', 'h200'])).toBeNull();
    expect(pickGpus(free, [])).toEqual([]);
  });

  it.each([
    [['h200'], true],
    [['h200', null], true],
    [['h200', 'h200'], false],
    [['b200'], false],
    [[null, null, null], false],
  ])('%j: %s', (wishes, expected) => {
    expect(hasGpus([stock('h200', 1), stock('l40', 1)], wishes)).toBe(expected);
  });
});

describe('what is missing is named', () => {
  it('with who has it on the host that comes nearest', () => {
    const has = [
      stock('l40', 8),
      stock('h200', 0, { name: 'eu-2', teepod_id: 2, all: 4, used: 4 }),
      stock('h200', 1, { name: 'eu-3', teepod_id: 3, all: 4, used: 1, kept: 1, broken: 1 }),
    ];
    expect(whyNoGpus(has, [H200, H200])).toBe(
      'It needs 2 × NVIDIA H200; of other hosts, eu-3 comes nearest with 4: 1 free, 1 in use, 1 kept for other teams, 1 out of service.',
    );
  });

  it('also when no host has one', () => {
    expect(whyNoGpus([stock('l40', 8)], [H200])).toBe(
      'It needs 1 × NVIDIA H200, which no other host that could take it has.',
    );
  });
});
