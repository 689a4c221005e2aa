import { expect, it } from 'vitest';
import { holdsText, isTextField } from './typedFields';

const field = (change: object) => ({
  tagName: 'INPUT',
  type: 'text',
  autocomplete: 'off',
  value: 'a@example.com',
  isConnected: true,
  disabled: false,
  ...change,
});

it('misses typed text, but neither a choice nor a credential', () => {
  expect(isTextField(field({ type: 'email' }))).toBe(true);
  expect(isTextField({ tagName: 'TEXTAREA' })).toBe(true);
  for (const change of [
    { type: 'radio' },
    { type: 'search' },
    { type: 'password' },
    { autocomplete: 'one-time-code' },
    { tagName: 'SELECT' },
  ])
    expect(isTextField(field(change)), JSON.stringify(change)).toBe(false);
  expect(isTextField({})).toBe(false);
});

it('misses nothing that was cleared or is no longer shown, such as after submitting', () => {
  expect(holdsText([])).toBe(false);
  expect(holdsText([field({ value: ' ' }), field({ isConnected: false })])).toBe(false);
  // Sent, and no longer editable.
  expect(holdsText([field({ disabled: true })])).toBe(false);
  expect(holdsText([field({ value: '' }), field({})])).toBe(true);
});
