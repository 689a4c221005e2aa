import { createFileRoute } from '@tanstack/react-router';
import { TeamHome } from '../features/teams/TeamHome';
import { loadTeamHome, teamHomeSearch } from '../features/teams/queries';

export const Route = createFileRoute('/$teamSlug/')({
  validateSearch: teamHomeSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, params, deps }) => loadTeamHome(context.queryClient, params.teamSlug, deps),
  staticData: { crumb: 'Apps' },
  component: function Home() {
    return <TeamHome teamSlug={Route.useParams().teamSlug} search={Route.useSearch()} />;
  },
});
