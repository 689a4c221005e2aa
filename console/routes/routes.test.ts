import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory, createRouter } from '@tanstack/react-router';
import { describe, expect, test } from 'vitest';
import { sessionOptions } from '../api/session';
import { eventsSearch } from '../features/activity/search';
import { cvmTabs } from '../lib/cvms/cvmTabs';
import { isReservedSlug } from '../lib/ids';
import { createAppRouter } from '../router';
import { routeTree } from '../routes.gen';

const router = createRouter({
  routeTree,
  context: { queryClient: new QueryClient() },
  history: createMemoryHistory(),
});
const UUID = '5cb6e747-9b77-4b00-8581-37450954f721';
const APP = 'b4830cb1'.repeat(5);

/** Returns the routes that match an address, outermost first. */
const matched = (path: string) =>
  router.getMatchedRoutes(path)[0].map((route) => ({
    id: String(route.id),
    slots: route.options.staticData,
  }));
/** Whether a page matches, not just a frame. */
const served = (path: string) => {
  const [, params, found] = router.getMatchedRoutes(path);
  // The router matches unknown addresses as "**".
  return found !== undefined && !('**' in params);
};

const TABS = ['certificates', 'compose', 'eliza-conf', 'events', 'kms', 'logs', 'network', 'settings'];

describe('product URLs', () => {
  const cvm = `/dashboard/cvms/${UUID}`;
  test.each([
    '/login',
    '/register',
    '/cli/verify',
    '/account/settings',
    '/account/link-sso',
    '/launch',
    '/setup-billing',
    '/debt-settlement',
    '/dashboard',
    '/dashboard/deploy',
    '/dashboard/tokens',
    `/dashboard/apps/${APP}/cvms`,
    cvm,
    ...TABS.map((tab) => `${cvm}/${tab}`),
    '/storybook/app-auth-deploy',
    '/storybook/app-auth-management',
    '/storybook/network',
    '/storybook/search-query-builder',
  ])('%s has a title, no team, no breadcrumb and no aside', (path) => {
    const routes = matched(path);
    expect(routes.at(-1)!.id).not.toContain('$teamSlug');
    expect(served(path)).toBe(true);
    expect(routes.some(({ slots }) => slots?.title !== undefined)).toBe(true);
    expect(routes.some(({ slots }) => slots?.crumb != null)).toBe(false);
    expect(routes.some(({ slots }) => slots?.aside != null)).toBe(false);
  });

  test.each([cvm, `/admin/cvms/${UUID}`, `/acme/cvms/${UUID}`, `/acme/apps/${APP}/cvms/${UUID}`])(
    '%s has a page for each tab of a CVM',
    (base) => {
      const tabs = cvmTabs('eliza').map(({ tab }) => `${base}/${tab}`);
      expect(tabs.filter((path) => !served(path))).toEqual([]);
    },
  );

  test('reserve their first segments from team slugs', () => {
    const first = Object.keys(router.routesByPath)
      .map((path) => path.split('/')[1] ?? '')
      .filter((segment) => segment !== '' && !segment.startsWith('$'));
    expect(new Set(first)).toEqual(
      new Set([
        'account',
        'admin',
        'cli',
        'cost',
        'dashboard',
        'debt-settlement',
        'invite',
        'launch',
        'login',
        'register',
        'reset-password',
        'setup-billing',
        'storybook',
        'transactions',
        'two-factor',
        'usage',
        'verify-email',
      ]),
    );
    for (const segment of first) expect(isReservedSlug(segment), segment).toBe(true);
  });
});

describe('team pages', () => {
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
    // A CVM's app comes from the address or the loaded data.
    ...cvms.flatMap((cvm, i): [string, boolean, number][] => [
      [cvm, true, 2 + i],
      ...[...TABS, 'usage'].map((tab): [string, boolean, number] => [`${cvm}/${tab}`, true, 3 + i]),
    ]),
  ])('%s has a breadcrumb, the matching title and an aside: %s', (path, aside, steps) => {
    const routes = matched(path);
    expect(routes.at(-1)!.id.startsWith('/$teamSlug')).toBe(true);
    expect(served(path)).toBe(true);
    expect(routes.filter(({ slots }) => slots?.crumb != null).length).toBe(steps);
    expect(routes.some(({ slots }) => slots?.title !== undefined)).toBe(false);
    expect(routes.some(({ slots }) => slots?.aside != null)).toBe(aside);
  });

  test.each([`/admin/cvms/${UUID}`, ...[...TABS, 'usage'].map((tab) => `/admin/cvms/${UUID}/${tab}`)])(
    '%s belongs to no team and has the CVM in the breadcrumb and an aside',
    (path) => {
      const routes = matched(path);
      expect(routes.at(-1)!.id.startsWith('/admin/cvms/')).toBe(true);
      expect(served(path)).toBe(true);
      expect(routes.filter(({ slots }) => slots?.crumb != null).length).toBe(path.endsWith(UUID) ? 1 : 2);
      expect(routes.some(({ slots }) => slots?.aside != null)).toBe(true);
    },
  );

  test.each([
    [`/acme/cvms/${UUID}/logs`, `/acme/cvms/${UUID.replace('5', '6')}/logs`],
    [`${app}/cvms/${UUID}/compose`, `${app}/cvms/${UUID.replace('5', '6')}/compose`],
    [`${app}/revisions`, `${app.replace('b4', 'b5')}/revisions`],
    ['/acme/members', '/umbrella/members'],
  ])('%s keeps no state for %s, inside the same frame', (one, other) => {
    const { defaultRemountDeps } = createAppRouter(new QueryClient()).options;
    // The keys of the components that the router renders.
    const keysOf = (path: string) => {
      const [routes, params] = router.getMatchedRoutes(path);
      const keys = routes.map(({ id }) =>
        defaultRemountDeps?.({ routeId: id, params, search: {}, loaderDeps: {} } as never),
      );
      return {
        page: JSON.stringify(keys.at(-1)),
        frame: keys[routes.findIndex(({ id }) => id === '/$teamSlug')],
      };
    };
    expect(keysOf(other).page).not.toBe(keysOf(one).page);
    expect(keysOf(other).frame).toEqual(keysOf(one).frame);
  });

  test('an address of an event that can’t exist opens the list', () => {
    // The router keeps the raw value of a missing key.
    expect(eventsSearch({ event: 'x', q: ' ' })).toStrictEqual({ event: undefined, q: undefined });
  });

  test('an unknown tab is not found', () => {
    for (const cvm of cvms) expect(served(`${cvm}/nonsense`)).toBe(false);
  });
});

describe('with AGENT_FRAMEWORK=wizard', () => {
  const visit = async (address: string) => {
    const session = {
      user: null,
      teams: [],
      announcements: [],
      platform_permissions: [],
      environment: { agent_framework: 'wizard', chat_bot_service: 'signal' },
    };
    const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
    queryClient.setQueryData(sessionOptions().queryKey, session as never);
    const visited = createRouter({
      routeTree,
      context: { queryClient },
      history: createMemoryHistory({ initialEntries: [address] }),
    });
    await visited.load();
    const { matches, location } = visited.state;
    return {
      pathname: location.pathname,
      notFound: matches.some(({ status }) => status === 'notFound'),
    };
  };

  test('serves the framework’s address without a sign-in prompt', async () => {
    for (const address of ['/wizard', '/WIZARD', '/eliza'])
      expect(await visit(address), address).toEqual({ pathname: address, notFound: true });
    // Other addresses may be teams, which only sign-in reveals.
    expect((await visit('/acme')).notFound).toBe(false);
  });
});

describe('search parameters', () => {
  /** Of older addresses, and no longer read once they are translated. */
  const older = ['kind', 'severity'];
  const pages = Object.values(router.routesById).flatMap(({ id, options: { validateSearch } }) =>
    typeof validateSearch === 'function' ? [{ id: String(id), validateSearch }] : [],
  );

  test.each(pages)('$id drops values that it does not know', ({ validateSearch }) => {
    const read = new Set<string>();
    const hostile = new Proxy<Record<string, unknown>>(
      {},
      {
        get: (_, key) => {
          read.add(String(key));
          return '\u0000 none';
        },
      },
    );
    const validated = validateSearch(hostile as never) as Record<string, unknown>;
    // The router keeps the address's own value of a parameter that isn't returned.
    expect([...read].filter((key) => !older.includes(key) && !(key in validated))).toEqual([]);
  });
});
