import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { CvmLayout } from '../features/cvms/CvmLayout';
import { importWithRetry } from '../lib/importWithRetry';

// The router splits off components only; other imports of a route end up in every page's first chunk.
const CvmAside = lazyRouteComponent(
  () => importWithRetry(() => import('../features/cvms/CvmAside')),
  'CvmAside',
);

/** A CVM's pages, with its header and tabs around them. */
export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid')({
  loader: async ({ context: { queryClient }, params: { teamSlug, vmUuid }, location: { href } }) => {
    const { loadTeamCvm } = await importWithRetry(() => import('../features/cvms/load'));
    return loadTeamCvm({ queryClient, teamSlug, identifier: vmUuid, href });
  },
  staticData: { crumb: ({ params }) => params.vmUuid ?? 'CVM', aside: CvmAside },
  component: function Cvm() {
    return <CvmLayout loaded={Route.useLoaderData()} />;
  },
});
