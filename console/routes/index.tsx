import { createFileRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { defaultTeam } from '../api/session';
import { loadAnnouncements } from '../features/announcements/load';
import { importWithRetry } from '../lib/importWithRetry';
import { teamPath } from '../lib/paths';

export const Route = createFileRoute('/')({
  beforeLoad: ({ context: { session } }) => {
    // The server renders the home page for visitors.
    if (session.user === null) throw redirect({ href: '/', replace: true, reloadDocument: true });
    const team = defaultTeam(session);
    if (team) throw redirect({ href: teamPath(team.slug), replace: true });
  },
  loader: ({ context }) => loadAnnouncements(context.queryClient),
  staticData: { crumb: null /* it belongs to no team */, title: 'Teams' },
  // Most users have a team and never load this page.
  component: lazyRouteComponent(() => importWithRetry(() => import('./-NoTeams')), 'NoTeams'),
});
