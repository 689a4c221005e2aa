import { describe, expect, test } from 'vitest';
import { ApiError, toApiError } from './apiError';
import { problemOf } from './problem';

const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers });
const read = (body: unknown, response?: Response) => {
  const error = toApiError(body, response);
  if (!(error instanceof ApiError)) throw new Error('not an ApiError');
  return error;
};

describe('error responses', () => {
  test('reads a plain message', () => {
    const error = read(
      { detail: 'The requested app was not found', code: 'ERR-00-004', request_id: 'req_1' },
      answer(404),
    );
    expect(error).toMatchObject({
      status: 404,
      message: 'The requested app was not found',
      code: 'ERR-00-004',
      request_id: 'req_1',
    });
  });

  test('writes apostrophes like the page', () => {
    expect(read({ detail: "The app isn't there.", code: 'ERR-00-004' }, answer(404)).message).toBe(
      'The app isn’t there.',
    );
  });

  test('maps validation errors to form fields', () => {
    const detail = [
      { loc: ['body', 'email'], msg: 'Not an email address.', type: 'value_error' },
      { loc: ['body', 'env', 0, 'key'], msg: 'key: Too long.', type: 'too_big' },
      { loc: ['query', 'page'], msg: 'At least 1.', type: 'too_small' },
    ];
    expect(read({ detail, code: 'ERR-00-008' }, answer(422)).fields).toEqual([
      { field: 'email', message: 'Not an email address.' },
      { field: 'env.0.key', message: 'Too long.' },
      { field: 'page', message: 'At least 1.' },
    ]);
  });

  test('reads a structured error with details, suggestions and links', () => {
    const detail = {
      error_code: 'ERR-02-001',
      message: 'No host has room.',
      details: [{ message: 'Wanted 8 GB, the largest gap is 4 GB.' }, { field: 'memory_mb', value: 8192 }],
      suggestions: ['Take a smaller size.'],
      links: [{ label: 'Sizes', url: '/docs/sizes' }],
    };
    expect(read({ detail, code: 'ERR-02-001' }, answer(409))).toMatchObject({
      message: 'No host has room.\nWanted 8 GB, the largest gap is 4 GB.',
      fields: [{ field: 'memory_mb', message: '8192' }],
      suggestions: ['Take a smaller size.', { label: 'Sizes', href: '/docs/sizes' }],
    });
  });

  test('replaces a proxy’s error page with a generic message', () => {
    const error = read('<html>502 Bad Gateway</html>', answer(502, { 'X-Request-Id': 'req_9' }));
    expect(error.message).not.toContain('<html>');
    expect(error).toMatchObject({ status: 502, request_id: 'req_9' });
  });

  test('reports a missing response', () => {
    expect(read(new TypeError('Failed to fetch'))).toMatchObject({
      status: 0,
      message: 'Couldn’t reach the server.',
    });
  });

  test('passes an aborted request through', () => {
    const cancelled = new DOMException('cancelled', 'AbortError');
    expect(toApiError(cancelled, undefined)).toBe(cancelled);
  });
});

test('explains that a canceled confirmation changed nothing', () => {
  const error = read({ detail: 'Confirm it’s you', code: 'ERR-00-031' }, answer(403));
  expect(problemOf(error, 'Couldn’t create the token')).toMatchObject({
    title: 'Couldn’t create the token',
    message: 'You canceled the confirmation, so nothing was changed.',
  });
});

test('shows how long to wait after too many attempts', () => {
  const shown = (seconds?: string) =>
    problemOf(
      read(
        { detail: 'Slow down', code: 'ERR-00-012' },
        answer(429, seconds === undefined ? {} : { 'Retry-After': seconds }),
      ),
      'Couldn’t sign in',
    )?.message;
  expect(shown('42')).toBe('Too many attempts. Try again in 42 s.');
  expect(shown('600')).toBe('Too many attempts. Try again in 10 min.');
  expect(shown()).toBe('Too many attempts. Wait a minute, then try again.');
});

test('shows one way to continue a change that waits for its contract', () => {
  const error = new ApiError({
    status: 465,
    code: 'ERR-01-005',
    message: 'Compose hash registration required on-chain',
    suggestions: ['Register it.', { label: 'Open the waiting change', href: '/team/cvms/1/kms' }],
  });
  expect(problemOf(error, 'Couldn’t replicate')).toEqual({
    title: 'The change is waiting for the app’s contract',
    message: 'Nothing has changed yet. Allow it on the contract, then commit it on the KMS tab.',
    suggestions: [{ label: 'Open the waiting change', href: '/team/cvms/1/kms' }],
  });
});
