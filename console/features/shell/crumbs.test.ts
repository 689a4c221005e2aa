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
  test('of a team that is nobody’s', () => {
    expect(titleOf([root, { ...team, status: 'notFound' }])).toBe('Not found · Teehouse');
  });
});
