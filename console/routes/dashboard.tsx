import { createFileRoute, type ErrorComponentProps } from '@tanstack/react-router';
import { defaultTeam, useSession } from '../api/session';
import { loadAnnouncements } from '../features/announcements/load';
import { requireDefaultTeam } from './-next';
import { TeamFault, TeamFrame } from './-TeamFrame';

/** Former addresses without a team, which show the default team. */
export const Route = createFileRoute('/dashboard')({
  beforeLoad: ({ context, location }) => ({ team: requireDefaultTeam(context.session, location.href) }),
  loader: ({ context }) => loadAnnouncements(context.queryClient),
  staticData: { crumb: null /* former addresses have no breadcrumb */ },
  component: function Dashboard() {
    return <TeamFrame teamSlug={Route.useRouteContext().team.slug} />;
  },
  errorComponent: function DashboardError(props: ErrorComponentProps) {
    return <TeamFault {...props} teamSlug={defaultTeam(useSession())?.slug} />;
  },
});
