import { expect, it } from 'vitest';
import { formatBytes, formatGb, formatMb } from '../cvms/sizes';
import { formatDuration } from './time';

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
