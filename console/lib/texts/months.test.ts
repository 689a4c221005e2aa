import { expect, it } from 'vitest';
import { monthText } from './months';

it('a month is shown in words', () => {
  expect(['2026-10', '2027-01'].map(monthText)).toEqual(['October 2026', 'January 2027']);
});

it('text that is no month stays as it is', () => {
  expect(['', 'soon', '2026-13'].map(monthText)).toEqual(['', 'soon', '2026-13']);
});
