import { describe, expect, it } from 'vitest';
import { duration, exactTime, relative, relativeInWords } from './time';

const now = Date.parse('2026-03-01T12:00:00Z');
const DAY = 86_400_000;
const ago = (ms: number) => relative(now - ms, now);

describe('relativeInWords', () => {
  it.each([
    ['just now', -2_000],
    ['3 minutes ago', -(3 * 60_000 + 59_000)],
    ['1 hour ago', -3600_000],
    ['in 7 days', 7 * DAY - 5_000],
    ['in 3 months', 90 * DAY - 60_000],
  ])('%s', (text, ms) => expect(relativeInWords(now + ms, now)).toBe(text));
});

describe('relative', () => {
  it('uses the largest whole unit', () => {
    expect(ago(2_000)).toBe('just now');
    expect(ago(42_000)).toBe('42 s ago');
    expect(ago(3 * 60_000 + 59_000)).toBe('3 min ago');
    expect(ago(5 * 3600_000)).toBe('5 h ago');
    expect(ago(26 * 3600_000)).toBe('1 d ago');
    expect(ago(20 * 86400_000)).toBe('20 d ago');
    expect(ago(70 * 86400_000)).toBe('2 mo ago');
    expect(ago(800 * 86400_000)).toBe('2 y ago');
  });
  it('supports future times', () => {
    expect(relative(now + 2 * 3600_000, now)).toBe('in 2 h');
  });
  it.each([
    ['in 10 s', 10_000],
    ['in 1 min', 59_600],
    ['in 1 h', 3600_000 - 20_000],
    ['in 1 d', DAY - 60_000],
    ['in 7 d', 7 * DAY - 5_000],
    ['in 6 d', 6.4 * DAY],
    ['in 30 d', 30 * DAY - 60_000],
    ['in 1 mo', 31 * DAY],
    ['in 2 mo', 74 * DAY],
    ['in 3 mo', 90 * DAY - 60_000],
    ['in 1 y', 365 * DAY - 60_000],
    ['in 2 y', 2 * 365 * DAY - 60_000],
  ])('rounds the future to the nearest unit: %s', (text, ms) => {
    expect(relative(now + ms, now)).toBe(text);
  });
  it.each([
    ['59 s ago', 59_900],
    ['59 min ago', 3600_000 - 1000],
    ['23 h ago', DAY - 1000],
    ['6 d ago', 7 * DAY - 1000],
    ['11 mo ago', 359 * DAY],
    ['1 y ago', 365 * DAY],
  ])('rounds the past down: %s', (text, ms) => {
    expect(ago(ms)).toBe(text);
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
