import { HttpError } from 'react-admin';
import { expect, it } from 'vitest';
import { hidesRecord } from './Fallback';

it.each([401, 403, 404, 422])('a record is hidden by a %i', (status) => {
  expect(hidesRecord(new HttpError('', status))).toBe(true);
});

it.each([0, 429, 500, 503])('a record stays on screen with a %i, and what is open with it', (status) => {
  expect(hidesRecord(new HttpError('', status))).toBe(false);
});

it('a record stays on screen with an error of another kind', () => {
  expect(hidesRecord(new TypeError('Failed to fetch'))).toBe(false);
});
