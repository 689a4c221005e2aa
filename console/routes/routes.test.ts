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
const APP = 'b4830cb1'.repeat(5);

/** The routes that answer an address, outermost first. */
const matched = (path: string) =>
  router.getMatchedRoutes(path)[0].map((route) => ({
    id: String(route.id),
    slots: route.options.staticData,
  }));
/** Whether a page answers it, not only the frame that would be around one. */
const served = (path: string) => {
  const [, params, found] = router.getMatchedRoutes(path);
  // The router puts under "**" what no route takes.
  return found !== undefined && !('**' in params);
};

const TABS = ['certificates', 'compose', 'eliza-conf', 'events', 'kms', 'logs', 'network', 'settings'];

describe('addresses of the product', () => {
  const cvm = `/dashboard/cvms/${UUID}`;
  test.each([
    '/login',
    '/register',
    '/cli/verify',
    '/account/settings',
    '/launch',
    '/dashboard',
    '/dashboard/deploy',
    '/dashboard/tokens',
    `/dashboard/apps/${APP}/cvms`,
    cvm,
    ...TABS.map((tab) => `${cvm}/${tab}`),
    '/storybook/network',
    '/storybook/search-query-builder',
  ])('%s is a page of its own, with a title, without breadcrumb or aside, and no team’s', (path) => {
    const routes = matched(path);
    expect(routes.at(-1)!.id).not.toContain('$teamSlug');
    expect(served(path)).toBe(true);
    expect(routes.some(({ slots }) => slots?.title !== undefined)).toBe(true);
    expect(routes.some(({ slots }) => slots?.crumb != null)).toBe(false);
    expect(routes.some(({ slots }) => slots?.aside != null)).toBe(false);
  });

  test('their first segments can never be a team', () => {
    const first = Object.keys(router.routesByPath)
      .map((path) => path.split('/')[1] ?? '')
      .filter((segment) => segment !== '' && !segment.startsWith('$'));
    expect(new Set(first)).toEqual(
      new Set([
        'account',
        'admin',
        'cli',
        'dashboard',
        'invite',
        'launch',
        'login',
        'register',
        'reset-password',
        'storybook',
        'two-factor',
        'verify-email',
      ]),
    );
    for (const segment of first) expect(isReservedSlug(segment), segment).toBe(true);
  });
});

describe('pages of a team', () => {
  const app = `/acme/apps/${APP}`;
  const cvms = [`/acme/cvms/${UUID}`, `${app}/cvms/${UUID}`];
  test.each<[path: string, aside: boolean, steps: number]>([
    ['/acme', false, 2],
    ['/acme/deploy', true, 2],
    ['/acme/launch', true, 2],
    ['/acme/members', true, 2],
    ['/acme/tokens', true, 2],
    [app, true, 2],
    ...['cvms', 'events', 'revisions', 'usage'].map((tab): [string, boolean, number] => [
      `${app}/${tab}`,
      true,
      3,
    ]),
    // The app above a CVM is in the address, or put there by what was loaded.
    ...cvms.flatMap((cvm, i): [string, boolean, number][] => [
      [cvm, true, 2 + i],
      ...[...TABS, 'usage'].map((tab): [string, boolean, number] => [`${cvm}/${tab}`, true, 3 + i]),
    ]),
  ])('%s has its steps in the breadcrumb, which is its title; an aside: %s', (path, aside, steps) => {
    const routes = matched(path);
    expect(routes.at(-1)!.id.startsWith('/$teamSlug')).toBe(true);
    expect(served(path)).toBe(true);
    expect(routes.filter(({ slots }) => slots?.crumb != null).length).toBe(steps);
    expect(routes.some(({ slots }) => slots?.title !== undefined)).toBe(false);
    expect(routes.some(({ slots }) => slots?.aside != null)).toBe(aside);
  });

  test.each([`/admin/cvms/${UUID}`, ...[...TABS, 'usage'].map((tab) => `/admin/cvms/${UUID}/${tab}`)])(
    '%s is the console’s too, under no team, with the CVM in the breadcrumb and an aside',
    (path) => {
      const routes = matched(path);
      expect(routes.at(-1)!.id.startsWith('/admin/cvms/')).toBe(true);
      expect(served(path)).toBe(true);
      expect(routes.filter(({ slots }) => slots?.crumb != null).length).toBe(path.endsWith(UUID) ? 1 : 2);
      expect(routes.some(({ slots }) => slots?.aside != null)).toBe(true);
    },
  );

  test('a tab nobody knows is no page', () => {
    for (const cvm of cvms) expect(served(`${cvm}/nonsense`)).toBe(false);
  });
});
