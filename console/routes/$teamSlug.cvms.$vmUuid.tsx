import { createFileRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { CvmLayout } from '../features/cvms/CvmLayout';
import { cvmPath } from '../lib/paths';

// Only components are split off by the router's plugin: what else a route names would be in every page's first chunk.
const CvmAside = lazyRouteComponent(() => import('../features/cvms/CvmAside'), 'CvmAside');

/** The pages of a CVM: its header and tabs around them. */
export const Route = createFileRoute('/$teamSlug/cvms/$vmUuid')({
  loader: async ({ context, params: { teamSlug, vmUuid }, location }) => {
    const { loadCvm } = await import('../features/cvms/queries');
    const cvm = await loadCvm(context.queryClient, teamSlug, vmUuid);
    // Any identifier is understood; one address is the page's own, so that live updates find it.
    if (cvm.vm_uuid !== null && cvm.vm_uuid !== vmUuid) {
      const rest = location.href.slice(location.href.indexOf(vmUuid) + vmUuid.length);
      throw redirect({ href: cvmPath(teamSlug, cvm.vm_uuid) + rest, replace: true });
    }
    return { crumb: cvm.name };
  },
  staticData: { crumb: ({ params }) => params.vmUuid ?? 'CVM', aside: CvmAside },
  component: function Cvm() {
    return <CvmLayout {...Route.useParams()} />;
  },
});
