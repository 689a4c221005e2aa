import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { CvmLayout } from '../features/cvms/CvmLayout';
import { importWithRetry } from '../lib/importWithRetry';

// The router splits off components only; other imports of a route end up in every page's first chunk.
const CvmAside = lazyRouteComponent(
  () => importWithRetry(() => import('../features/cvms/CvmAside')),
  'CvmAside',
);

/** The CVM pages below an app. */
export const Route = createFileRoute('/$teamSlug/apps/$appId/cvms/$vmUuid')({
  loader: async ({ context: { queryClient }, params: { teamSlug, appId, vmUuid }, location: { href } }) => {
    const { loadAppCvm } = await importWithRetry(() => import('../features/cvms/load'));
    return loadAppCvm({ queryClient, teamSlug, appId, identifier: vmUuid, href });
  },
  staticData: { crumb: ({ params }) => params.vmUuid ?? 'CVM', aside: CvmAside },
  component: function AppCvm() {
    return <CvmLayout loaded={Route.useLoaderData()} />;
  },
});
