import { describe, expect, it } from 'vitest';
import { duration, exactTime, relative } from './time';

const now = Date.parse('2026-03-01T12:00:00Z');
const ago = (ms: number) => relative(now - ms, now);

describe('relative', () => {
  it('says how long ago in the largest whole unit', () => {
    expect(ago(2_000)).toBe('just now');
    expect(ago(42_000)).toBe('42 s ago');
    expect(ago(3 * 60_000 + 59_000)).toBe('3 min ago');
    expect(ago(5 * 3600_000)).toBe('5 h ago');
    expect(ago(26 * 3600_000)).toBe('1 d ago');
    expect(ago(20 * 86400_000)).toBe('20 d ago');
    expect(ago(70 * 86400_000)).toBe('2 mo ago');
    expect(ago(800 * 86400_000)).toBe('2 y ago');
  });
  it('speaks of the future', () => {
    expect(relative(now + 2 * 3600_000, now)).toBe('in 2 h');
  });
  it('does not print "Invalid Date"', () => {
    expect(relative('nonsense', now)).toBe('—');
    expect(exactTime('nonsense')).toBe('unknown time');
  });
});

describe('duration', () => {
  it('keeps the two largest units', () => {
    expect(duration(840)).toBe('840 ms');
    expect(duration(42_400)).toBe('42 s');
    expect(duration(200_000)).toBe('3 min 20 s');
    expect(duration(120_000)).toBe('2 min');
    expect(duration(7_500_000)).toBe('2 h 5 min');
    expect(duration(-1)).toBe('—');
  });
});
