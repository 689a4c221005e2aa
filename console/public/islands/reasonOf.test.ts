import { expect, test } from 'vitest';
import { reasonOf } from './reasonOf';

test('describes the fault without the API’s field name', () => {
  const msg = 'email: Invalid email address';
  expect(reasonOf(422, { message: msg, details: [{ field: 'email', message: msg }] })).toBe(
    'Invalid email address',
  );
  // The domain check's message for an invalid name.
  const message = 'Enter the name without a port.';
  const details = [{ field: 'domain', message }];
  expect(reasonOf(422, { message: `domain: ${message}`, details, detail: { details } })).toBe(message);
  expect(reasonOf(404, { message: 'No published app has this ID.', detail: 'x' })).toBe(
    'No published app has this ID.',
  );
  expect(reasonOf(502, null)).toBe('The server answered 502.');
  expect(reasonOf(429, null)).toContain('in a minute');
});

test('says how long to wait, and which limit other than the network’s was reached', () => {
  const limited = { message: 'Too many requests' };
  expect(reasonOf(429, limited, '12')).toBe('Too many requests from your network. Try again in a minute.');
  // Mail to addresses that anyone can enter is limited per hour.
  expect(reasonOf(429, limited, '2500')).toBe(
    'Too many requests from your network. Try again in 42 minutes.',
  );
  const message = 'Too many requests were sent to hooks.example. Try again in an hour.';
  expect(reasonOf(429, { message }, '3600')).toBe(message);
});
