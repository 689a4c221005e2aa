import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { DeployPage } from '../features/deploy/DeployPage';

// Only components are split off by the router's plugin: what else a route names would be in every page's first chunk.
const DeployAside = lazyRouteComponent(() => import('../features/deploy/DeployAside'), 'DeployAside');

export const Route = createFileRoute('/$teamSlug/deploy')({
  loader: async ({ context, params }) => {
    const { loadDeploy } = await import('../features/deploy/queries');
    await loadDeploy(context.queryClient, params.teamSlug);
  },
  staticData: { crumb: 'Deploy', aside: DeployAside },
  component: function Deploy() {
    const { teamSlug } = Route.useParams();
    return <DeployPage key={teamSlug} teamSlug={teamSlug} />;
  },
});
