import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { CvmLayout } from '../features/cvms/CvmLayout';
import { importWithRetry } from '../lib/importWithRetry';

// Only components are split off by the router's plugin: what else a route names would be in every page's first chunk.
const CvmAside = lazyRouteComponent(
  () => importWithRetry(() => import('../features/cvms/CvmAside')),
  'CvmAside',
);

/** The same pages of a CVM, under its app. */
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
