import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, createRouter } from '@tanstack/react-router';
import { describe, expect, test } from 'vitest';
import { isReservedSlug } from '../lib/ids';
import { routeTree } from '../routes.gen';

const router = createRouter({
  routeTree,
  context: { queryClient: new QueryClient() },
  history: createMemoryHistory(),
});
const UUID = '5cb6e747-9b77-4b00-8581-37450954f721';

/** The routes that answer an address, outermost first. */
const matched = (path: string) =>
  router.getMatchedRoutes(path)[0].map((route) => ({
    id: String(route.id),
    slots: route.options.staticData,
  }));
const deepest = (path: string) => matched(path).at(-1)!;

describe('addresses of the product', () => {
  test.each([
    '/login',
    '/register',
    '/cli/verify',
    '/account/settings',
    '/dashboard',
    `/dashboard/cvms/${UUID}`,
  ])('%s is a page of its own, with a title, and no team’s', (path) => {
    const { id, slots } = deepest(path);
    expect(id).not.toContain('$teamSlug');
    expect(slots?.title).toBeTruthy();
  });

  test('their first segments can never be a team', () => {
    const first = Object.keys(router.routesByPath)
      .map((path) => path.split('/')[1] ?? '')
      .filter((segment) => segment !== '' && !segment.startsWith('$'));
    expect(new Set(first)).toEqual(
      new Set([
        'account',
        'cli',
        'dashboard',
        'invite',
        'login',
        'register',
        'reset-password',
        'two-factor',
        'verify-email',
      ]),
    );
    for (const segment of first) expect(isReservedSlug(segment), segment).toBe(true);
  });
});

describe('pages of a team', () => {
  const cvm = `/acme/cvms/${UUID}`;
  test.each([
    ['/acme', false],
    ['/acme/deploy', true],
    ['/acme/members', true],
    ['/acme/tokens', true],
    ['/acme/apps/b4830cb1', true],
    [cvm, true],
    [`${cvm}/logs`, true],
    [`${cvm}/events`, true],
    [`${cvm}/compose`, true],
    [`${cvm}/settings`, true],
  ])('%s has its step in the breadcrumb; an aside: %s', (path, aside) => {
    const routes = matched(path);
    expect(routes.at(-1)!.id.startsWith('/$teamSlug')).toBe(true);
    expect(routes.filter(({ slots }) => slots?.crumb != null).length).toBeGreaterThanOrEqual(2);
    expect(routes.some(({ slots }) => slots?.aside != null)).toBe(aside);
  });
});
