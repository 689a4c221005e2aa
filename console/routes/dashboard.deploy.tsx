import { createFileRoute } from '@tanstack/react-router';
import { DeployPage } from '../features/deploy/DeployPage';
import { deployPath } from '../lib/paths';
import { CanonicalLink } from '../ui/layout/CanonicalLink';

export const Route = createFileRoute('/dashboard/deploy')({
  loader: async ({ context }) => {
    const { loadDeploy } = await import('../features/deploy/queries');
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
