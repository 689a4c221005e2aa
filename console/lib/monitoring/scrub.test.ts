import { describe, expect, it } from 'vitest';
import { scrub, tunnelOf } from './scrub';

describe('scrub', () => {
  it('removes personal data under any key', () => {
    const report = {
      message: 'alice@example.test sent Bearer abc.def to https://x.test/a?token=1',
      extra: { note: 'thk_api_0123456789abcdefghij', nested: [{ password: 'p' }, { api_token: 't' }] },
      credential: 'user:pass',
      file: 'services:\n  web:\n    image: secret',
    };
    const text = JSON.stringify(scrub(report));
    for (const gone of [
      'alice',
      'abc.def',
      'token=1',
      '0123456789abcdef',
      '"p"',
      '"t"',
      'user:pass',
      'image',
    ])
      expect(text).not.toContain(gone);
    expect(text).toContain('https://x.test/a');
    expect(report.credential).toBe('user:pass');
  });
});

describe('tunnelOf', () => {
  it('returns the organization, project and region of a DSN, or a placeholder without one', () => {
    expect(tunnelOf('https://k@o12.ingest.de.sentry.io/34').tunnel).toBe('/monitoring?o=12&p=34&r=de');
    expect(tunnelOf('https://k@o12.ingest.sentry.io/34').tunnel).toBe('/monitoring?o=12&p=34');
    expect(tunnelOf(null).tunnel).toBe('/monitoring?o=0&p=0');
    expect(tunnelOf('no address').tunnel).toBe('/monitoring?o=0&p=0');
  });
});
