import { describe, expect, it } from 'vitest';
import { counted, countOf } from './count';

const PORT = ['port', 'ports'] as const;

describe('counts', () => {
  it('agree with their noun', () => {
    expect(counted(1, PORT)).toBe('1 port');
    expect(counted(0, PORT)).toBe('0 ports');
    expect(countOf(1, undefined, PORT)).toBe('1 port');
    expect(countOf(2, undefined, PORT)).toBe('2 ports');
  });

  it('take the noun of the total', () => {
    expect(countOf(1, 1, PORT)).toBe('1 of 1 port');
    expect(countOf(1, 12, PORT)).toBe('1 of 12 ports');
  });

  it('don’t present the loaded part as the whole', () => {
    expect(countOf(100, undefined, PORT, { more: true })).toBe('100+ ports');
    expect(countOf(1, undefined, PORT, { more: true })).toBe('1+ ports');
    expect(countOf(100, undefined, PORT, { more: false })).toBe('100 ports');
  });
});
