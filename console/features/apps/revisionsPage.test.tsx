import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import type { Session } from '../../../generated/api/types.gen';
import { sessionOptions } from '../../api/session';
import { revisionsOptions } from './queries';
import { Revisions } from './Revisions';

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
