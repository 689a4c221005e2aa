import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { TeamHome } from '../../features/teams/home/TeamHome';
import { teamHomeSearch } from '../../features/teams/home/search';
import { dashboardPath, teamPath } from '../../lib/paths';
import { CanonicalLink } from '../../ui/layout/CanonicalLink';
import { importWithRetry } from '../../lib/importWithRetry';

// Needed only for new teams.
const EmptyTeam = lazyRouteComponent(() => importWithRetry(() => import('../-EmptyTeam')), 'EmptyTeam');

export const Route = createFileRoute('/dashboard/')({
  validateSearch: teamHomeSearch,
  // Not by loaderDeps: each search would be another page, which shows its placeholder and takes the focus.
  loader: async ({ context, location }) => {
    const { loadTeamHome } = await importWithRetry(() => import('../../features/teams/home/queries'));
    await loadTeamHome(context.queryClient, context.team.slug, teamHomeSearch(location.search));
  },
  staticData: { crumb: null /* as above */, title: 'Dashboard' },
  component: function DashboardHome() {
    const { slug } = Route.useRouteContext().team;
    return (
      <>
        <TeamHome
          teamSlug={slug}
          search={Route.useSearch()}
          base={dashboardPath}
          starters={
            <Suspense>
              <EmptyTeam teamSlug={slug} />
            </Suspense>
          }
        />
        <CanonicalLink href={teamPath(slug)} />
      </>
    );
  },
});
