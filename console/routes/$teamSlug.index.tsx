import { createFileRoute } from '@tanstack/react-router';
import { TeamHome } from '../features/teams/TeamHome';
import { teamHomeSearch } from '../features/teams/search';
import { teamPath } from '../lib/paths';

export const Route = createFileRoute('/$teamSlug/')({
  validateSearch: teamHomeSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params, deps }) => {
    const { loadTeamHome } = await import('../features/teams/queries');
    await loadTeamHome(context.queryClient, params.teamSlug, deps);
  },
  staticData: { crumb: 'Apps' },
  component: function Home() {
    const { teamSlug } = Route.useParams();
    return <TeamHome teamSlug={teamSlug} search={Route.useSearch()} base={teamPath(teamSlug)} />;
  },
});
