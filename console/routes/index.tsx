import { createFileRoute, redirect } from '@tanstack/react-router';
import { defaultTeam } from '../api/session';
import { loginPath, teamPath } from '../lib/paths';

export const Route = createFileRoute('/')({
  beforeLoad: ({ context }) => {
    const team = defaultTeam(context.session);
    throw redirect({ href: team ? teamPath(team.slug) : loginPath(), replace: true });
  },
  staticData: { crumb: null /* never shown: it redirects */ },
});
