import { createFileRoute, redirect } from '@tanstack/react-router';
import { DeployPage } from '../../features/apps/deploy/DeployPage';
import { deploySearch, launchFromDeploy, launchHref } from '../../features/apps/launch/search';
import { deployPath, launchPath } from '../../lib/paths';
import { CanonicalLink } from '../../ui/layout/CanonicalLink';
import { importWithRetry } from '../../lib/importWithRetry';

export const Route = createFileRoute('/dashboard/deploy')({
  validateSearch: deploySearch,
  beforeLoad: ({ context, search }) => {
    const launch = launchFromDeploy(search);
    if (launch) throw redirect({ href: launchHref(launchPath(context.team.slug), launch), replace: true });
  },
  loader: async ({ context }) => {
    const { loadDeploy } = await importWithRetry(() => import('../../features/apps/deploy/queries'));
    await loadDeploy(context.queryClient, context.team.slug);
  },
  staticData: { crumb: null /* as above */, title: 'Deploy' },
  component: function DashboardDeploy() {
    const { slug } = Route.useRouteContext().team;
    return (
      <>
        <DeployPage key={slug} teamSlug={slug} />
        <CanonicalLink href={deployPath(slug)} />
      </>
    );
  },
});
