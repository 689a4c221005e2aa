import { createFileRoute } from '@tanstack/react-router';
import { DeployAside } from '../features/deploy/DeployAside';
import { DeployPage } from '../features/deploy/DeployPage';
import { loadDeploy } from '../features/deploy/queries';

export const Route = createFileRoute('/$teamSlug/deploy')({
  loader: ({ context, params }) => loadDeploy(context.queryClient, params.teamSlug),
  staticData: { crumb: 'Deploy', aside: DeployAside },
  component: function Deploy() {
    const { teamSlug } = Route.useParams();
    return <DeployPage key={teamSlug} teamSlug={teamSlug} />;
  },
});
