import { expect, it } from 'vitest';
import { editFields } from './forms';
import { limitOf, overriddenText, withHostLimit } from './limit';
import { getResource } from './resources';

const slots = getResource('teepods').fields.find(({ name }) => name === 'used_cvms');

it('uses the host’s limit if it is lower, and says that it replaces the configured one', () => {
  if (!slots) throw new Error('Teepods have no used_cvms');
  const teepod = (max_cvms: number, host_cvms: number | null) => ({
    id: 1,
    used_cvms: 5,
    max_cvms,
    host_cvms,
  });
  expect(limitOf(slots, teepod(60, 16))).toBe(16);
  expect(overriddenText(slots, teepod(60, 16))).toBe('Set to 60, but the host allows at most 16.');
  expect(limitOf(slots, teepod(10, 16))).toBe(10);
  expect(overriddenText(slots, teepod(10, 16))).toBeUndefined();
  expect(overriddenText(slots, teepod(16, 16))).toBeUndefined();
  expect(overriddenText(slots, teepod(60, null))).toBeUndefined();
  expect(overriddenText(slots, teepod(60, 0))).toBeUndefined();
});

it('says beside the input how many CVMs the host allows', () => {
  const field = editFields(getResource('teepods')).find(({ name }) => name === 'max_cvms');
  if (!field) throw new Error('Teepods have no max_cvms');
  const help = (host_cvms: number | null) => withHostLimit(field, { id: 1, host_cvms }).help;
  expect(help(16)).toMatch(/^The host allows at most 16\. The host’s own limit applies if it is lower\.$/);
  expect(help(null)).toBe(field.help);
  expect(help(0)).toBe(field.help);
});
