import { describe, expect, test } from 'vitest';
import { scrub, tunnelOf } from './lib/monitoring/scrub';
import { clean } from './monitoringReporter';

describe('report scrubbing', () => {
  test.each([
    ['an email address', 'No user ada.l+x@mail.example.org here', 'No user [email] here'],
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

  test('removes Compose files anywhere in a report', () => {
    expect(scrub({ note: 'services:\n  web:\n    image: secret/app\n' })).toEqual({ note: '[redacted]' });
  });

  test('removes values of private keys at any depth', () => {
    expect(scrub({ a: [{ password: 'hunter22', env: [{ key: 'A', value: 'b' }], name: 'web' }] })).toEqual({
      a: [{ password: '[redacted]', env: '[redacted]', name: 'web' }],
    });
  });

  test('keeps what explains an error', () => {
    const text = 'TypeError: rows.map is not a function (teehouse-console@0.1.0)';
    expect(scrub(text)).toBe(text);
  });
});

describe('an error report', () => {
  test('omits the token in a page’s address', () => {
    const page = {
      origin: 'https://x.test',
      pathname: `/reset-password/thk_lnk_${'Zx81kQpL'.repeat(4)}0a1B2c`,
    };
    expect(clean({ type: undefined, transaction: page.pathname }, page)).toEqual({
      type: undefined,
      transaction: '/reset-password/[token]',
      request: { url: 'https://x.test/reset-password/[token]' },
    });
  });
});

describe('the tunnel', () => {
  test('includes organization, project and region of the configured service', () => {
    expect(tunnelOf('https://key@o123.ingest.us.sentry.io/456').tunnel).toBe('/monitoring?o=123&p=456&r=us');
    expect(tunnelOf('https://key@o123.ingest.sentry.io/456').tunnel).toBe('/monitoring?o=123&p=456');
  });
  test('uses organization 0 for a self-hosted service', () => {
    expect(tunnelOf('https://key@errors.example.com/sentry/7').tunnel).toBe('/monitoring?o=0&p=7');
  });
  test('works without a service, because the server stores the reports', () => {
    expect(tunnelOf(null).tunnel).toBe('/monitoring?o=0&p=0');
    expect(tunnelOf('nonsense').tunnel).toBe('/monitoring?o=0&p=0');
  });
});
