import { createFileRoute } from '@tanstack/react-router';
import { TeamHome } from '../features/teams/TeamHome';
import { teamHomeSearch } from '../features/teams/search';
import { dashboardPath, teamPath } from '../lib/paths';
import { CanonicalLink } from '../ui/layout/CanonicalLink';

export const Route = createFileRoute('/dashboard/')({
  validateSearch: teamHomeSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const { loadTeamHome } = await import('../features/teams/queries');
    await loadTeamHome(context.queryClient, context.team.slug, deps);
  },
  staticData: { crumb: null /* as above */, title: 'Dashboard' },
  component: function DashboardHome() {
    const { slug } = Route.useRouteContext().team;
    return (
      <>
        <TeamHome teamSlug={slug} search={Route.useSearch()} base={dashboardPath} />
        <CanonicalLink href={teamPath(slug)} />
      </>
    );
  },
});
