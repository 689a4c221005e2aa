import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { TeamHome } from '../features/teams/home/TeamHome';
import { teamHomeSearch } from '../features/teams/home/search';
import { teamPath } from '../lib/paths';
import { importWithRetry } from '../lib/importWithRetry';

// Needed only for new teams.
const EmptyTeam = lazyRouteComponent(() => importWithRetry(() => import('./-EmptyTeam')), 'EmptyTeam');

export const Route = createFileRoute('/$teamSlug/')({
  validateSearch: teamHomeSearch,
  // Not by loaderDeps: each search would be another page, which shows its placeholder and takes the focus.
  loader: async ({ context, params, location }) => {
    const { loadTeamHome } = await importWithRetry(() => import('../features/teams/home/queries'));
    await loadTeamHome(context.queryClient, params.teamSlug, teamHomeSearch(location.search));
  },
  staticData: { crumb: 'Apps' },
  component: function Home() {
    const { teamSlug } = Route.useParams();
    return (
      <TeamHome
        teamSlug={teamSlug}
        search={Route.useSearch()}
        base={teamPath(teamSlug)}
        starters={
          <Suspense>
            <EmptyTeam teamSlug={teamSlug} />
          </Suspense>
        }
      />
    );
  },
});
