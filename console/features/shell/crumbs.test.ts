import { describe, expect, test } from 'vitest';
import { crumbsOf, titleOf, type SlotMatch } from './crumbs';

const root: SlotMatch = { pathname: '/', params: {}, staticData: { crumb: null } };
const team: SlotMatch = {
  pathname: '/acme',
  params: { teamSlug: 'acme' },
  loaderData: { crumb: 'Acme Inc' },
  staticData: { crumb: ({ params }) => params.teamSlug ?? '' },
};
const page = (more: Partial<SlotMatch> = {}): SlotMatch => ({
  pathname: '/acme/apps/ab12',
  params: { teamSlug: 'acme', appId: 'ab12' },
  staticData: { crumb: ({ params }) => params.appId ?? '' },
  ...more,
});

describe('crumbs', () => {
  test('what was loaded names itself; until then the address does', () => {
    expect(crumbsOf([root, team, page({ loaderData: { crumb: 'web' } })]).map(({ label }) => label)).toEqual([
      'Acme Inc',
      'web',
    ]);
    expect(crumbsOf([root, team, page()]).map(({ label }) => label)).toEqual(['Acme Inc', 'ab12']);
  });
  test('lead to their pages', () => {
    expect(crumbsOf([root, { ...team, pathname: '/acme/' }])[0]?.href).toBe('/acme');
  });
  test('steps that are no part of the address stand before the page, each a link', () => {
    const cvm = page({
      pathname: '/acme/cvms/5cb6',
      loaderData: { crumb: 'web-1', crumbs_above: [{ label: 'web', href: '/acme/apps/ab12' }] },
    });
    const tab = page({ pathname: '/acme/cvms/5cb6/logs', staticData: { crumb: 'Logs' } });
    expect(crumbsOf([root, team, cvm, tab])).toEqual([
      { label: 'Acme Inc', href: '/acme' },
      { label: 'web', href: '/acme/apps/ab12' },
      { label: 'web-1', href: '/acme/cvms/5cb6' },
      { label: 'Logs', href: '/acme/cvms/5cb6/logs' },
    ]);
  });
  test('a page that failed says so instead of its name', () => {
    expect(crumbsOf([root, team, page({ status: 'error', error: { status: 403 } })])).toMatchObject([
      { label: 'Acme Inc' },
      { label: 'Not allowed' },
    ]);
    expect(crumbsOf([root, team, page({ status: 'error', error: { status: 404 } })])).toMatchObject([
      { label: 'Acme Inc' },
      { label: 'Not found' },
    ]);
  });
  test('so does an address that goes on where nothing is', () => {
    expect(crumbsOf([root, { ...team, _notFound: true }])).toMatchObject([
      { label: 'Acme Inc' },
      { label: 'Not found' },
    ]);
  });
});

describe('titles', () => {
  test('the page first', () => {
    expect(titleOf([root, team, page({ loaderData: { crumb: 'web' } })])).toBe('web · Acme Inc · Teehouse');
  });
  test('of pages outside the shell', () => {
    expect(
      titleOf([root, { pathname: '/login', params: {}, staticData: { crumb: null, title: 'Sign in' } }]),
    ).toBe('Sign in · Teehouse');
  });
  test('of nested pages without a breadcrumb, named by what was loaded', () => {
    const cvm: SlotMatch = {
      pathname: '/dashboard/cvms/app_ab',
      params: { cvmIdentifier: 'app_ab' },
      staticData: { crumb: null, title: ({ params }) => params.cvmIdentifier ?? 'CVM' },
    };
    const tab: SlotMatch = {
      pathname: '/dashboard/cvms/app_ab/logs',
      params: {},
      staticData: { crumb: null, title: 'Logs' },
    };
    expect(titleOf([root, cvm, tab])).toBe('Logs · app_ab · Teehouse');
    expect(titleOf([root, { ...cvm, loaderData: { crumb: 'web-1' } }, tab])).toBe('Logs · web-1 · Teehouse');
    expect(crumbsOf([root, cvm, tab])).toEqual([]);
  });
  test('an app and its only CVM of one name say it once', () => {
    const app = page({ loaderData: { crumb: 'web' } });
    expect(titleOf([root, team, app, page({ loaderData: { crumb: 'web' } })])).toBe(
      'web · Acme Inc · Teehouse',
    );
  });
  test('of a team that is nobody’s', () => {
    expect(titleOf([root, { ...team, status: 'notFound' }])).toBe('Not found · Teehouse');
  });
});
