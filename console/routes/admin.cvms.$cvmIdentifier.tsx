import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { CvmLayout } from '../features/cvms/CvmLayout';
import { AdminShell } from '../shell/AdminShell';
import { requireStaff } from './-next';
import { importWithRetry } from '../lib/importWithRetry';

// The router splits off components only; other imports of a route end up in every page's first chunk.
const CvmAside = lazyRouteComponent(
  () => importWithRetry(() => import('../features/cvms/CvmAside')),
  'CvmAside',
);

/** The CVM pages for platform staff, in the admin area's frame, for any team's CVM. */
export const Route = createFileRoute('/admin/cvms/$cvmIdentifier')({
  beforeLoad: ({ context, location }) => requireStaff(context.session, 'admin.cvms.read', location.href),
  loader: async ({ context: { queryClient }, params: { cvmIdentifier }, location: { href } }) => {
    const { loadAdminCvm } = await importWithRetry(() => import('../features/cvms/load'));
    return loadAdminCvm({ queryClient, identifier: cvmIdentifier, href });
  },
  staticData: { crumb: ({ params }) => params.cvmIdentifier ?? 'CVM', aside: CvmAside },
  component: function AdminCvm() {
    const loaded = Route.useLoaderData();
    return (
      <AdminShell teamSlug={'cvm_address' in loaded ? loaded.cvm_address.teamSlug : loaded.teamSlug}>
        <CvmLayout loaded={loaded} />
      </AdminShell>
    );
  },
});
