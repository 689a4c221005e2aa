import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { importWithRetry } from '../lib/importWithRetry';

// The router splits off components only; other imports of a route end up in every page's first chunk.
const AppAside = lazyRouteComponent(
  () => importWithRetry(() => import('../features/apps/AppAside')),
  'AppAside',
);

/** An app: its own pages, and its CVMs' pages below it. */
export const Route = createFileRoute('/$teamSlug/apps/$appId')({
  loader: async ({ context: { queryClient }, params: { teamSlug, appId }, location: { href } }) => {
    const { loadApp } = await importWithRetry(() => import('../features/apps/queries'));
    return loadApp({ queryClient, teamSlug, appId, href });
  },
  staticData: { crumb: ({ params }) => params.appId ?? 'App', aside: AppAside },
});
