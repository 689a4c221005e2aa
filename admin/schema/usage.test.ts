import { expect, it } from 'vitest';
import { usageOf, usageText } from './usage';

const memory = (used: number, limit: number) => usageText(usageOf({ unit: 'megabytes' }, used, limit));
const disk = (used: number, limit: number) => usageText(usageOf({ unit: 'gigabytes' }, used, limit));

it('shows both figures in the unit that suits the limit', () => {
  expect(memory(2048, 65_536)).toBe('2 of 64 GB');
  expect(disk(1536, 2048)).toBe('1.5 of 2 TB');
  expect(disk(0, 2048)).toBe('0 of 2 TB');
  expect(usageText(usageOf({}, 5, 16))).toBe('5 of 16');
});

it('gives a small usage its own unit instead of rounding it to zero', () => {
  expect(memory(6144, 8_000_000)).toBe('6 GB of 7.6 TB');
  expect(memory(512, 65_536)).toBe('512 MB of 64 GB');
  expect(disk(60, 100_000)).toBe('60 GB of 97.7 TB');
});
