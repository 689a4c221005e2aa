import { expect, it } from 'vitest';
import { monthText } from './months';

it('shows a month in words', () => {
  expect(['2026-10', '2027-01'].map(monthText)).toEqual(['October 2026', 'January 2027']);
});

it('leaves text that isn’t a month unchanged', () => {
  expect(['', 'soon', '2026-13'].map(monthText)).toEqual(['', 'soon', '2026-13']);
});
