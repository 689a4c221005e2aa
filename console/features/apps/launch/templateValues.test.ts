import { expect, test } from 'vitest';
import type { TemplateInput } from '../../../../generated/api/types.gen';
import { firstValues, inputFault, newForm, onNewVersion, valueIn } from './templateValues';

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

test('starts a form with defaults and generated values', () => {
  const values = firstValues([
    input({ key: 'A', default: 'app' }),
    input({ key: 'B', generate: 40 }),
    input({ key: 'C' }),
  ]);
  expect([values.get('A'), values.get('C')]).toEqual(['app', '']);
  expect(values.get('B')).toMatch(/^[A-Za-z0-9]{40}$/);
});

test('keeps what was typed and generated when the template gets a new version', () => {
  const inputs = [
    input({ key: 'TYPED', default: 'app' }),
    input({ key: 'DEFAULT', default: 'one' }),
    input({ key: 'GENERATED', generate: 40 }),
  ];
  const form = { ...newForm(inputs), typed: new Map([['TYPED', 'mine']]) };
  const next = inputs.map((one) => (one.default === null ? one : { ...one, default: 'two' }));
  const after = onNewVersion(form, [...next, input({ key: 'NEW', default: 'three' })]);
  expect(['TYPED', 'DEFAULT', 'NEW'].map((key) => valueIn(after, key))).toEqual(['mine', 'two', 'three']);
  expect(valueIn(after, 'GENERATED')).toBe(valueIn(form, 'GENERATED'));
  expect(onNewVersion(form, inputs)).toBe(form);
});

test('matches a value’s pattern against the whole value', () => {
  const lower = input({ pattern: '[a-z]+', description: 'Lowercase letters.' });
  expect(inputFault(lower, 'app')).toBeUndefined();
  expect(inputFault(lower, 'app1')).toBe('Lowercase letters.');
  expect(inputFault(lower, '')).toBe('Enter database name.');
  expect(inputFault({ ...lower, required: false }, '')).toBeUndefined();
});
