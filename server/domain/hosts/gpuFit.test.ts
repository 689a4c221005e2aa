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

describe('GPU assignment', () => {
  it('fills requests for a product first, so that a request for any does not take its last one', () => {
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

describe('missing GPUs', () => {
  it('names the holders on the closest host', () => {
    const has = [
      stock('l40', 8),
      stock('h200', 0, { name: 'eu-2', teepod_id: 2, all: 4, used: 4 }),
      stock('h200', 1, { name: 'eu-3', teepod_id: 3, all: 4, used: 1, kept: 1, broken: 1 }),
    ];
    expect(whyNoGpus(has, [H200, H200]).text).toBe(
      'It needs 2 × NVIDIA H200. The closest host, eu-3, has 4: 1 free, 1 in use, 1 reserved for other teams, 1 out of service.',
    );
  });

  it('also reports when no host has any', () => {
    expect(whyNoGpus([stock('l40', 8)], [H200]).text).toBe(
      'It needs 1 × NVIDIA H200, which no other suitable host has.',
    );
  });
});
