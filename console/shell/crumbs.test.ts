import { describe, expect, test } from 'vitest';
import { crumbsOf, titleOf, type SlotMatch } from './crumbs';
import { trailOf } from './place';

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
  test('loaded data names the crumb; until then the address does', () => {
    expect(crumbsOf([root, team, page({ loaderData: { crumb: 'web' } })]).map(({ label }) => label)).toEqual([
      'Acme Inc',
      'web',
    ]);
    expect(crumbsOf([root, team, page()]).map(({ label }) => label)).toEqual(['Acme Inc', 'ab12']);
  });
  test('the address’s search can name the crumb', () => {
    const members = page({
      search: { tab: 'audit' },
      staticData: { crumb: ({ search }) => (search.tab === 'audit' ? 'Audit log' : 'Members') },
    });
    expect(crumbsOf([root, team, members]).at(-1)?.label).toBe('Audit log');
    expect(titleOf([root, team, members])).toBe('Audit log · Acme Inc · Teehouse');
  });
  test('crumbs link to their pages', () => {
    expect(crumbsOf([root, { ...team, pathname: '/acme/' }])[0]?.href).toBe('/acme');
  });
  test('extra steps appear before the page as links', () => {
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
  test('a failed page shows the error instead of its name', () => {
    expect(crumbsOf([root, team, page({ status: 'error', error: { status: 403 } })])).toMatchObject([
      { label: 'Acme Inc' },
      { label: 'Not allowed' },
    ]);
    expect(crumbsOf([root, team, page({ status: 'error', error: { status: 404 } })])).toMatchObject([
      { label: 'Acme Inc' },
      { label: 'Not found' },
    ]);
  });
  test('an address without a page shows “Not found”', () => {
    expect(crumbsOf([root, { ...team, _notFound: true }])).toMatchObject([
      { label: 'Acme Inc' },
      { label: 'Not found' },
    ]);
  });
});

describe('a team’s page whose path doesn’t name the team', () => {
  const acme = { slug: 'acme', name: 'Acme Inc' };
  const trail = (pathname: string, staticData: SlotMatch['staticData']) =>
    trailOf(acme, pathname, [root, { pathname, params: {}, staticData }]).map(({ label }) => label);

  test('starts with the team, with or without a breadcrumb', () => {
    expect(trail('/cost', { crumb: 'Cost' })).toEqual(['Acme Inc', 'Cost']);
    expect(trail('/setup-billing', { crumb: null, title: 'Billing' })).toEqual(['Acme Inc', 'Billing']);
    expect(trail('/dashboard/tokens', { crumb: null, title: 'API tokens' })).toEqual([]);
    expect(trailOf(acme, '/acme', [root, team]).map(({ label }) => label)).toEqual(['Acme Inc']);
  });
});

test('a CVM with the same name as its app is shown as “CVM”, and both are links', () => {
  const cvm = page({
    pathname: '/acme/cvms/5cb6',
    loaderData: { crumb: 'web', crumbs_above: [{ label: 'web', href: '/acme/apps/ab12' }] },
  });
  const tab = page({ pathname: '/acme/cvms/5cb6/logs', staticData: { crumb: 'Logs' } });
  expect(trailOf({ slug: 'acme', name: 'Acme Inc' }, tab.pathname, [root, team, cvm, tab])).toEqual([
    { label: 'Acme Inc', href: '/acme' },
    { label: 'web', href: '/acme/apps/ab12' },
    { label: 'CVM', href: '/acme/cvms/5cb6' },
    { label: 'Logs', href: '/acme/cvms/5cb6/logs' },
  ]);
});

describe('titles', () => {
  test('titles start with the page', () => {
    expect(titleOf([root, team, page({ loaderData: { crumb: 'web' } })])).toBe('web · Acme Inc · Teehouse');
  });
  test('pages outside the shell have a title', () => {
    expect(
      titleOf([root, { pathname: '/login', params: {}, staticData: { crumb: null, title: 'Sign in' } }]),
    ).toBe('Sign in · Teehouse');
  });
  test('nested pages without a breadcrumb use the loaded name', () => {
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
  test('an app and its only CVM with the same name appear once', () => {
    const app = page({ loaderData: { crumb: 'web' } });
    expect(titleOf([root, team, app, page({ loaderData: { crumb: 'web' } })])).toBe(
      'web · Acme Inc · Teehouse',
    );
  });
  test('an unknown team has the title “Not found”', () => {
    expect(titleOf([root, { ...team, status: 'notFound' }])).toBe('Not found · Teehouse');
  });
});
