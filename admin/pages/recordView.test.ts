import { HttpError } from 'react-admin';
import { expect, it } from 'vitest';
import { isHidden, recordState } from './recordView';

const failed = (status: number) => new HttpError('', status);

it('shows a record that was read, and a skeleton until then', () => {
  expect(recordState(true, null)).toBe('record');
  expect(recordState(false, null)).toBe('loading');
});

it.each([
  [404, 'missing'],
  [422, 'unknown_address'],
])('hides a record that doesn’t exist, according to a %i', (status, state) => {
  expect(recordState(true, failed(status))).toBe(state);
  expect(recordState(false, failed(status))).toBe(state);
  expect(isHidden(recordState(true, failed(status)))).toBe(true);
});

it.each([401, 403])('hides a record that the user can no longer read, according to a %i', (status) => {
  expect(recordState(true, failed(status))).toBe('failed');
  expect(recordState(false, failed(status))).toBe('failed');
});

it.each([0, 429, 500, 503])('keeps a record and its open dialogs after a %i', (status) => {
  expect(recordState(true, failed(status))).toBe('stale');
  expect(recordState(false, failed(status))).toBe('failed');
});

it('keeps a record on screen after any other error', () => {
  expect(recordState(true, new TypeError('Failed to fetch'))).toBe('stale');
});
