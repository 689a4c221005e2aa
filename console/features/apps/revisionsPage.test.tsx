import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import type { AppRevisionPage, Session } from '../../../generated/api/types.gen';
import { listAppRevisionsOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';
import { sessionOptions } from '../../api/session';
import { revisionsOptions } from './queries';
import { Revisions } from './Revisions';
import { Compare } from './revisions/CompareRevisions';

afterEach(() => void vi.unstubAllGlobals());

const appId = 'ab'.repeat(20);

it('doesn’t say that there are no revisions on a page past the last one', () => {
  vi.stubGlobal('location', { pathname: '/acme' });
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionOptions().queryKey, {
    user: { id: 'usr_a' },
    teams: [{ slug: 'acme', permissions: [] }],
  } as unknown as Session);
  queryClient.setQueryData(revisionsOptions('acme', appId, 3).queryKey, {
    revisions: [],
    total: 25,
    page: 3,
    page_size: 20,
    total_pages: 2,
  });
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router}>
        <Revisions teamSlug="acme" appId={appId} page={3} />
      </RouterContextProvider>
    </QueryClientProvider>,
  );
  expect(html).toContain('There are no revisions on this page.');
  expect(html).toMatch(new RegExp(`href="/acme/apps/${appId}/revisions"[^>]*>First page`));
});

it('lists a change of secret values, with its author and reason, under the unchanged revision', () => {
  vi.stubGlobal('location', { pathname: '/acme' });
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionOptions().queryKey, {
    user: { id: 'usr_a' },
    teams: [{ slug: 'acme', permissions: [] }],
  } as unknown as Session);
  const revision = {
    revision_id: 'rev_1',
    revision_number: 1,
    compose_hash: 'c0'.repeat(32),
    state: 'live',
    cvm_count: 1,
    operation_type: 'deploy',
    reason: null,
    restores: null,
    triggered_by: { username: 'ann' },
    created_at: '2026-11-20T10:00:00Z',
    secret_changes: [
      {
        changed_at: '2026-11-23T10:00:00Z',
        correlation_id: 'op-1',
        reason: 'Rotated the key',
        triggered_by: { username: 'bob' },
      },
    ],
  };
  queryClient.setQueryData(revisionsOptions('acme', appId, 1).queryKey, {
    revisions: [revision],
    total: 1,
    page: 1,
    page_size: 20,
    total_pages: 1,
  } as unknown as AppRevisionPage);
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const text = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router}>
        <Revisions teamSlug="acme" appId={appId} page={1} />
      </RouterContextProvider>
    </QueryClientProvider>,
  ).replaceAll(/<style.*?<\/style>|<[^>]*>/gs, '');
  expect(text).toMatch(/Secrets changed .* by bob: Rotated the key/);
});

it('offers to roll back to the first revision, compared with the live one', () => {
  vi.stubGlobal('location', { pathname: '/acme' });
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionOptions().queryKey, {
    user: { id: 'usr_a' },
    teams: [{ slug: 'acme', permissions: ['cvms.write'] }],
  } as unknown as Session);
  const revisions = [
    { revision_id: 'rev_2', revision_number: 2, state: 'live', cvm_count: 1 },
    { revision_id: 'rev_1', revision_number: 1, state: 'superseded', cvm_count: 0 },
  ];
  const list = (shown: object[]) =>
    queryClient.setQueryData(
      listAppRevisionsOptions({
        ...inTeam('acme'),
        path: { app_id: appId },
        query: { page: 1, page_size: 1000 },
      }).queryKey,
      { revisions: shown, total: 2, page: 1, page_size: 1000, total_pages: 1 } as never,
    );
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  const html = (to: string) =>
    renderToStaticMarkup(
      <QueryClientProvider client={queryClient}>
        <RouterContextProvider router={router}>
          <Compare teamSlug="acme" appId={appId} from={undefined} to={to} />
        </RouterContextProvider>
      </QueryClientProvider>,
    );
  list(revisions);
  const first = html('rev_1');
  expect(first).toContain('Compare two revisions');
  expect(first).toContain('Roll back to revision 1…');
  expect([...first.matchAll(/<option [^>]*value="(\w+)" selected/g)].map(([, id]) => id)).toEqual([
    'rev_2',
    'rev_1',
  ]);
  expect(html('rev_2')).not.toContain('Roll back to');
  list([{ ...revisions[0], revision_id: 'rev_1', revision_number: 1 }]);
  const only = html('rev_1');
  expect(only).toContain('>Revision 1</h2>');
  expect(only).not.toMatch(/Compare two revisions|<select|Roll back to/);
});
