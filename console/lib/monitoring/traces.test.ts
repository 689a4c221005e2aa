import { expect, test } from 'vitest';
import { pages } from '../../../generated/api/pages.gen';
import { cleanTransaction, pagePattern } from './traces';

test.each([
  ['/', '/'],
  ['/acme/cvms/5f1c', '/$teamSlug/cvms/$vmUuid'],
  ['/dashboard/tokens', '/dashboard/tokens'],
  ['/invite/thk_inv_secret', '/invite/$token'],
  ['/admin/infra/teepods/5/', '/admin/infra/teepods/$id'],
  ['/acme/nothing/here', '/(unknown)'],
])('records %s as %s', (path, pattern) => {
  expect(pagePattern(path, pages)).toBe(pattern);
});

test('omits URLs, IDs, users and page text from traces', () => {
  const cleaned = cleanTransaction(
    {
      transaction: '/acme/cvms/5f1c',
      user: { email: 'ada@example.org' },
      tags: { url: 'https://x.test/acme' },
      request: { url: 'https://x.test/acme/cvms/5f1c' },
      contexts: { trace: { trace_id: 'a1', data: { 'url.full': '/acme', 'sentry.op': 'pageload' } } },
      spans: [
        {
          op: 'http.client',
          description: 'GET /api/v1/cvms/5f1c/logs?token=x',
          data: { url: '/api/v1/cvms/5f1c', 'http.response.status_code': 200 },
        },
        { op: 'ui.interaction.click', description: 'button[aria-label=acme]' },
        { op: 'browser.request', description: 'https://x.test/acme' },
      ],
    },
    pages,
  );
  expect(cleaned).toEqual({
    transaction: '/$teamSlug/cvms/$vmUuid',
    contexts: { trace: { trace_id: 'a1', data: { 'sentry.op': 'pageload' } } },
    spans: [
      { op: 'http.client', description: 'GET /api/v1/cvms', data: { 'http.response.status_code': 200 } },
      { op: 'browser.request', description: 'browser.request', data: {} },
    ],
  });
});
