import { describe, expect, test } from 'vitest';
import {
  appCvmPath,
  cvmAddressIn,
  cvmLink,
  cvmPath,
  dashboardCvmPath,
  loginPath,
  safeNext,
  type CvmAddress,
} from './paths';

describe('the address to open after sign-in', () => {
  test.each([
    '/acme',
    '/acme/deploy?x=1#top',
    '/cli/verify?user_code=ABCD-EFGH',
    '/admin/infra',
    '/invite/inv_abc',
    '/acme/apps?q=a%2F%2Fb',
    '/acme/apps/a%2Fb',
  ])('allows %s', (path) => {
    expect(safeNext(path)).toBe(path);
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/acme/..//evil.example',
    '/%2F/evil.example',
    '/%2Fevil.example',
    '/%5Cevil.example',
    '/%252Fevil.example',
    '/%09/evil.example',
    '/%2e/%2F/evil.example',
    '/%',
    'https:evil.example',
    'https:/evil.example',
    'data:text/html,x',
    '/\u0000/evil.example',
    '/\u007f/evil.example',
    '///evil.example',
    '?next=/acme',
    '#/acme',
    'javascript:alert(1)',
    'acme',
    '',
    undefined,
    42,
    ['/acme'],
    `/${'a'.repeat(3000)}`,
  ])('rejects %j', (next) => {
    expect(safeNext(next)).toBeUndefined();
  });

  test('is never a sign-in page', () => {
    expect(safeNext('/login')).toBeUndefined();
    expect(safeNext('/register?next=/acme')).toBeUndefined();
    expect(safeNext('/two-factor?next=/acme')).toBeUndefined();
    expect(safeNext('/loginsight')).toBe('/loginsight');
  });
});

test('escapes user-chosen names in paths', () => {
  expect(cvmPath('acme', 'a/b?c', 'logs')).toBe('/acme/cvms/a%2Fb%3Fc/logs');
  expect(loginPath('/acme?q=1&r=2')).toBe('/login?next=%2Facme%3Fq%3D1%26r%3D2');
  expect(loginPath('/')).toBe('/login');
});

describe('CVM page addresses', () => {
  const at = (base: string) => ({ base });
  test('keep the address the CVM was opened at', () => {
    expect(cvmLink(at(cvmPath('acme', 'u')))).toBe('/acme/cvms/u');
    expect(cvmLink(at(appCvmPath('acme', 'ab', 'u')), 'logs', { source: 'a b&c' })).toBe(
      '/acme/apps/ab/cvms/u/logs?source=a+b%26c',
    );
    expect(cvmLink(at(dashboardCvmPath('app_ab')), 'eliza-conf')).toBe('/dashboard/cvms/app_ab/eliza-conf');
  });

  test('are derived from what the layout loaded', () => {
    const cvm_address: CvmAddress = { by: 'team', teamSlug: 'acme', vmUuid: 'u', base: '/acme/cvms/u' };
    expect(cvmAddressIn({ crumb: 'web', cvm_address })).toBe(cvm_address);
    for (const other of [undefined, null, 'x', { crumb: 'web' }]) expect(cvmAddressIn(other)).toBeUndefined();
  });
});
