import { expect, it } from 'vitest';
import type { AiUsageDay } from '../../../generated/api/types.gen';
import { lastDays, linesOf, MEASURES } from './usageSeries';

const [requests, tokens, cost] = MEASURES;
const NOW = Date.parse('2026-11-26T13:00:00Z');
const day = (date: string, model: string, n: number): AiUsageDay => ({
  date,
  model,
  requests: n,
  input_tokens: n * 10,
  output_tokens: n,
  cost: `${n}.50`,
});

it('covers 30 UTC days, ending today', () => {
  const frame = lastDays(NOW);
  expect(new Date(frame.from).toISOString()).toBe('2026-10-28T00:00:00.000Z');
  expect(new Date(frame.from + (frame.count - 1) * frame.step_ms).toISOString()).toBe(
    '2026-11-26T00:00:00.000Z',
  );
});

it('has a line per model, most used first, with zero for days without usage', () => {
  const days = [day('2026-10-28', 'a', 1), day('2026-11-26', 'a', 2), day('2026-11-26', 'b', 7)];
  const lines = linesOf(days, requests, lastDays(NOW));
  expect(lines.map(({ name }) => name)).toEqual(['b', 'a']);
  expect(lines[1]?.values).toHaveLength(30);
  expect([lines[1]?.values[0], lines[1]?.values[1], lines[1]?.values[29]]).toEqual([1, 0, 2]);
  expect(linesOf(days, tokens, lastDays(NOW))[0]?.values[29]).toBe(77);
  expect(linesOf(days, cost, lastDays(NOW))[0]?.values[29]).toBe(7.5);
});

it('combines the less used of many models into one line', () => {
  const days = Array.from({ length: 9 }, (_, n) => day('2026-11-26', `m${n}`, n + 1));
  const lines = linesOf(days, requests, lastDays(NOW));
  expect(lines.map(({ name }) => name)).toEqual(['m8', 'm7', 'm6', 'm5', 'Other models']);
  expect(lines[4]?.values[29]).toBe(1 + 2 + 3 + 4 + 5);
});

it('leaves out days outside the chart', () => {
  expect(linesOf([day('2026-10-27', 'a', 1)], requests, lastDays(NOW))[0]?.values.every((n) => n === 0)).toBe(
    true,
  );
});
