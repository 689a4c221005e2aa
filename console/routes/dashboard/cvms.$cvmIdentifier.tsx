import { createFileRoute } from '@tanstack/react-router';
import { CvmLayout } from '../../features/cvms/CvmLayout';
import { importWithRetry } from '../../lib/importWithRetry';

/** The CVM pages at the address printed by the CLI: by any identifier, in the default team. */
export const Route = createFileRoute('/dashboard/cvms/$cvmIdentifier')({
  loader: async ({
    context: { queryClient, session, team },
    params: { cvmIdentifier },
    location: { href },
  }) => {
    const { loadDashboardCvm } = await importWithRetry(() => import('../../features/cvms/load'));
    return loadDashboardCvm({ queryClient, session, teamSlug: team.slug, identifier: cvmIdentifier, href });
  },
  staticData: {
    crumb: null /* the older addresses have no breadcrumb */,
    title: ({ params }) => params.cvmIdentifier ?? 'CVM',
  },
  component: function DashboardCvm() {
    return <CvmLayout loaded={Route.useLoaderData()} />;
  },
});
