import { createFileRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { DeployPage } from '../features/apps/deploy/DeployPage';
import { deploySearch, launchFromDeploy, launchHref } from '../features/apps/launch/search';
import { launchPath } from '../lib/paths';
import { importWithRetry } from '../lib/importWithRetry';

// The router splits off components only; other imports of a route end up in every page's first chunk.
const DeployAside = lazyRouteComponent(
  () => importWithRetry(() => import('../features/apps/deploy/DeployAside')),
  'DeployAside',
);

export const Route = createFileRoute('/$teamSlug/deploy')({
  validateSearch: deploySearch,
  beforeLoad: ({ params, search }) => {
    const launch = launchFromDeploy(search);
    if (launch) throw redirect({ href: launchHref(launchPath(params.teamSlug), launch), replace: true });
  },
  loader: async ({ context, params }) => {
    const { loadDeploy } = await importWithRetry(() => import('../features/apps/deploy/queries'));
    await loadDeploy(context.queryClient, params.teamSlug);
  },
  staticData: { crumb: 'Deploy', aside: DeployAside },
  component: function Deploy() {
    const { teamSlug } = Route.useParams();
    return <DeployPage key={teamSlug} teamSlug={teamSlug} />;
  },
});
