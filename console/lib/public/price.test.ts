import { describe, expect, it } from 'vitest';
import { ignoredOf, priceOf, quoteOf, quoteSearch } from './price';
import type { Offer } from './site';

const offer = (id: string, rate_micros: number): Offer => ({
  id,
  name: id,
  description: '',
  vcpu: 1,
  memory_mb: 2048,
  disk_gb: 20,
  gpu_count: 0,
  rate_micros,
});
const offers = [offer('small', 58_000), offer('large', 232_000)];
const read = (search: string) => {
  const params = new URLSearchParams(search);
  return quoteOf((name) => params.get(name), offers);
};

describe('a quote', () => {
  it('defaults to the first size for a whole month', () => {
    expect(read('')).toEqual({ type: 'small', count: 1, hours: 730, disk: 20 });
  });

  it('round-trips through its address', () => {
    const quote = { type: 'large', count: 3, hours: 160, disk: 200 };
    expect(read(quoteSearch(quote))).toEqual(quote);
  });

  it.each([
    'count=0',
    'count=101',
    'hours=731',
    'hours=1.5',
    'disk=-1',
    'disk=9e9',
    'type=nope',
    'count=abc',
  ])('ignores %s', (search) => expect(read(search)).toEqual(read('')));

  it('lists the ignored fields', () => {
    const params = new URLSearchParams('count=-5&hours=1e99&disk=50&type=nope');
    expect(ignoredOf((name) => params.get(name))).toEqual(['count', 'hours']);
    expect(ignoredOf(() => null)).toEqual([]);
    expect(ignoredOf(() => '')).toEqual([]);
  });

  it('charges running hours at the rate and the others at the disk price', () => {
    const quote = { type: 'small', count: 2, hours: 100, disk: 10 };
    expect(priceOf(quote, offers[0]!)).toEqual({
      running_micros: 2 * 100 * 58_000,
      stopped_micros: 2 * 630 * 10 * 100,
      month_micros: 11_600_000 + 1_260_000,
    });
  });

  it('also charges running hours for disk beyond what the size includes: stopping never costs more', () => {
    const quote = { type: 'small', count: 1, hours: 730, disk: 4096 };
    const price = priceOf(quote, offers[0]!);
    expect(price.running_micros).toBe(730 * (58_000 + 4076 * 100));
    expect(price.month_micros).toBeGreaterThan(priceOf({ ...quote, hours: 1 }, offers[0]!).month_micros);
  });

  it('has no stopped hours if it runs all month', () => {
    expect(priceOf(read(''), offers[0]!).stopped_micros).toBe(0);
  });
});
