import { createFileRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { defaultTeam } from '../api/session';
import { loadAnnouncements } from '../features/announcements/load';
import { importWithRetry } from '../lib/importWithRetry';
import { teamPath } from '../lib/paths';

export const Route = createFileRoute('/')({
  beforeLoad: ({ context: { session } }) => {
    // The home page for visitors is the server's own.
    if (session.user === null) throw redirect({ href: '/', replace: true, reloadDocument: true });
    const team = defaultTeam(session);
    if (team) throw redirect({ href: teamPath(team.slug), replace: true });
  },
  loader: ({ context }) => loadAnnouncements(context.queryClient),
  staticData: { crumb: null /* it belongs to no team */, title: 'Teams' },
  // Most users have a team and never load it.
  component: lazyRouteComponent(() => importWithRetry(() => import('./-NoTeams')), 'NoTeams'),
});
