import { expect, test } from 'vitest';
import type { InstanceType, TemplateInput } from '../../../../generated/api/types.gen';
import { firstValues, inputFault, randomText, sizeFor } from './templateValues';

const input = (change: Partial<TemplateInput>): TemplateInput => ({
  key: 'KEY',
  label: 'Database name',
  description: null,
  secret: false,
  required: true,
  default: null,
  generate: null,
  pattern: null,
  ...change,
});

test('a form starts with defaults and generated values', () => {
  const values = firstValues([
    input({ key: 'A', default: 'app' }),
    input({ key: 'B', generate: 40 }),
    input({ key: 'C' }),
  ]);
  expect([values.get('A'), values.get('C')]).toEqual(['app', '']);
  expect(values.get('B')).toMatch(/^[A-Za-z0-9]{40}$/);
});

test('generated values differ, and use every letter and digit', () => {
  const texts = Array.from({ length: 200 }, () => randomText(32));
  expect(new Set(texts).size).toBe(200);
  expect(new Set(texts.join('')).size).toBe(62);
});

test('a value is checked by its pattern, as a whole', () => {
  const lower = input({ pattern: '[a-z]+', description: 'Lowercase letters.' });
  expect(inputFault(lower, 'app')).toBeUndefined();
  expect(inputFault(lower, 'app1')).toBe('Lowercase letters.');
  expect(inputFault(lower, '')).toBe('Enter database name.');
  expect(inputFault({ ...lower, required: false }, '')).toBeUndefined();
});

test('the cheapest size that is large enough is chosen', () => {
  const size = (id: string, memory_mb: number, hourly_rate: string) =>
    ({ id, vcpu: 2, memory_mb, hourly_rate }) as InstanceType;
  const sizes = [size('small', 1024, '0.05'), size('large', 8192, '0.20'), size('medium', 4096, '0.10')];
  expect(sizeFor({ vcpu: 1, memory_mb: 2048, disk_gb: 10 }, sizes)?.id).toBe('medium');
  expect(sizeFor({ vcpu: 4, memory_mb: 2048, disk_gb: 10 }, sizes)).toBeUndefined();
});
