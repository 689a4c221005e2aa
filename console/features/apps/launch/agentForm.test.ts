import { expect, it } from 'vitest';
import { secretNames, secretsFault } from './agentForm';

const fault = (typed: string, set: string[] = []) => secretsFault(secretNames(typed), set);

it('reads names between spaces, commas and line breaks', () => {
  expect(secretNames(' A_KEY, B\nC ')).toEqual(['A_KEY', 'B', 'C']);
});

it('refuses a name that the Compose file would have twice', () => {
  expect(fault('A_KEY B A_KEY')).toBe('A_KEY is listed twice.');
  expect(fault('CHARACTER')).toBe('CHARACTER is already set. Remove it from the list.');
  expect(fault('OPENAI_BASE_URL', ['OPENAI_BASE_URL'])).toContain('already set');
  expect(fault('OPENAI_BASE_URL')).toBeUndefined();
});

it('refuses a name that can’t be a variable', () => {
  expect(fault('1A')).toBe('“1A” isn’t a valid variable name.');
  expect(fault('')).toBeUndefined();
});
