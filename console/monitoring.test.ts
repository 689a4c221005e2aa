import { describe, expect, test } from 'vitest';
import { scrub, tunnelOf } from './lib/scrub';

describe('what a report may not carry', () => {
  test.each([
    ['an e-mail address', 'No user ada.l+x@mail.example.org here', 'No user [email] here'],
    ['an API token', 'key phak_live_Zx81kQpLm02nVbTq77Ya was refused', 'key [token] was refused'],
    ['an authorization header', 'sent Bearer abc.def-ghi', 'sent Bearer [token]'],
    ['a JSON web token', 'got eyJhbGciOi.eyJzdWIi.c2ln', 'got [token]'],
    ['a key or signature', `key 0x${'ab'.repeat(32)} bad`, 'key [hex] bad'],
    [
      'a query string',
      'GET https://x.test/logs/cvms/1?token=abc&ch=stdout failed',
      'GET https://x.test/logs/cvms/1 failed',
    ],
    ['the query of a path', 'at /cli/verify?user_code=ABCD-EFGH', 'at /cli/verify'],
  ])('%s', (_what, text, expected) => {
    expect(scrub(text)).toBe(expected);
  });

  test('a compose file, wherever it turns up', () => {
    expect(scrub({ note: 'services:\n  web:\n    image: secret/app\n' })).toEqual({ note: '[redacted]' });
  });

  test('values of private keys, at any depth', () => {
    expect(scrub({ a: [{ password: 'hunter22', env: [{ key: 'A', value: 'b' }], name: 'web' }] })).toEqual({
      a: [{ password: '[redacted]', env: '[redacted]', name: 'web' }],
    });
  });

  test('but not what a fault is understood by', () => {
    const text = 'TypeError: rows.map is not a function (teehouse-console@0.1.0)';
    expect(scrub(text)).toBe(text);
  });
});

describe('the tunnel', () => {
  test('names organisation, project and region of the configured service', () => {
    expect(tunnelOf('https://key@o123.ingest.us.sentry.io/456').tunnel).toBe('/monitoring?o=123&p=456&r=us');
    expect(tunnelOf('https://key@o123.ingest.sentry.io/456').tunnel).toBe('/monitoring?o=123&p=456');
  });
  test('is used without a service too: the server keeps the reports', () => {
    expect(tunnelOf(null).tunnel).toBe('/monitoring?o=0&p=0');
    expect(tunnelOf('nonsense').tunnel).toBe('/monitoring?o=0&p=0');
  });
});
