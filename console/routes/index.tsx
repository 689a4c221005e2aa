import { createFileRoute, redirect } from '@tanstack/react-router';
import { defaultTeam } from '../api/session';
import { loginPath, teamPath } from '../lib/paths';

export const Route = createFileRoute('/')({
  beforeLoad: ({ context: { session } }) => {
    // The home page for visitors is the server's own.
    if (session.user === null) throw redirect({ href: '/', replace: true, reloadDocument: true });
    const team = defaultTeam(session);
    throw redirect({ href: team ? teamPath(team.slug) : loginPath(), replace: true });
  },
  staticData: { crumb: null /* never shown: it redirects */ },
});
