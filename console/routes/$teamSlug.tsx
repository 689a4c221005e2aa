import { createFileRoute, notFound, redirect, type ErrorComponentProps } from '@tanstack/react-router';
import { findFormerTeam, findTeam } from '../api/session';
import { loadAnnouncements } from '../features/announcements/load';
import { teamPath } from '../lib/paths';
import { requireAdmitted, requireUser } from './-next';
import { TeamFault, TeamFrame } from './-TeamFrame';

/** Everything of a team: the shell around its pages. */
export const Route = createFileRoute('/$teamSlug')({
  beforeLoad: async ({ context, params, location }) => {
    const team = findTeam(context.session, params.teamSlug);
    if (team) {
      requireAdmitted(team);
      return { team };
    }
    const renamed = findFormerTeam(context.session, params.teamSlug);
    if (renamed) {
      const rest = location.href.slice(teamPath(params.teamSlug).length);
      throw redirect({ href: teamPath(renamed.slug) + rest, replace: true });
    }
    // An address of the product that this version does not serve is nobody's team: no sign-in for it.
    const { isReservedSlug } = await import('../lib/ids');
    if (isReservedSlug(params.teamSlug)) throw notFound();
    requireUser(context.session, location.href);
    // A team of others and a team of nobody look the same.
    throw notFound();
  },
  loader: async ({ context }) => {
    await loadAnnouncements(context.queryClient);
    return { crumb: context.team.name };
  },
  staticData: { crumb: ({ params }) => params.teamSlug ?? '' },
  component: function Team() {
    return <TeamFrame teamSlug={Route.useParams().teamSlug} />;
  },
  errorComponent: function TeamError(props: ErrorComponentProps) {
    return <TeamFault {...props} teamSlug={Route.useParams().teamSlug} />;
  },
});
