import { createFileRoute, redirect } from '@tanstack/react-router';
import { defaultTeam } from '../api/session';
import { teamPath } from '../lib/paths';
import { requireUser } from './-next';

/** The older address without a team: the person's default one. */
export const Route = createFileRoute('/dashboard/')({
  beforeLoad: ({ context, location }) => {
    requireUser(context.session, location.href);
    const team = defaultTeam(context.session);
    if (team) throw redirect({ href: teamPath(team.slug), replace: true });
  },
  staticData: { crumb: null /* only sends on */, title: 'Dashboard' },
});
