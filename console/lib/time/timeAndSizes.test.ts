import { expect, it } from 'vitest';
import { formatBytes, formatGb, formatMb } from '../cvms/sizes';
import { exactTime, formatDuration, relativeTime, relativeTimeStep } from './time';

it.each<[string, string]>([
  [formatMb(512), '512 MB'],
  [formatMb(2048), '2 GB'],
  [formatMb(1536), '1.5 GB'],
  [formatMb(1023.99), '1 GB'],
  [formatGb(20), '20 GB'],
  [formatGb(2048), '2 TB'],
  [formatBytes(0), '0 B'],
  [formatBytes(204_800), '200 KB'],
  [formatBytes(Number.NaN), '–'],
])('formats the size %s', (shown, expected) => expect(shown).toBe(expected));

it.each<[number, string]>([
  [0, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [3599, '59 min 59 s'],
  [3900, '1 h 5 min'],
  [93_600, '1 d 2 h'],
  [366 * 86_400, '1 y 1 d'],
  [-90, '-1 min 30 s'],
  [Infinity, '–'],
])('formats a duration of %s s', (seconds, expected) => expect(formatDuration(seconds)).toBe(expected));

it.each<[string, string]>([
  ['2026-01-21T10:00:00Z', 'just now'],
  ['2026-01-21T09:59:30Z', '30 s ago'],
  ['2026-01-21T09:50:00Z', '10 min ago'],
  ['2026-01-21T13:00:00Z', 'in 3 h'],
  ['2026-01-20T09:00:00Z', '1 day ago'],
  ['2026-01-10T10:00:00Z', '11 days ago'],
  ['2025-06-01T00:00:00Z', '2025-06-01'],
  ['nonsense', 'unknown'],
])('formats %s as %s', (time, expected) => expect(relativeTime(time, '2026-01-21T10:00:00Z')).toBe(expected));

it('returns the exact time and the next refresh', () => {
  expect(exactTime('2026-01-21T12:00:05.123+02:00')).toBe('2026-01-21 10:00:05 UTC');
  expect(exactTime('')).toBe('unknown');
  expect(relativeTimeStep(0, 5_000)).toBe(1000);
  expect(relativeTimeStep(0, 7_200_000)).toBe(60_000);
});
