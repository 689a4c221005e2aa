import { createFileRoute, notFound, redirect, type ErrorComponentProps } from '@tanstack/react-router';
import { findFormerTeam, findTeam } from '../api/session';
import { loadAnnouncements } from '../features/announcements/load';
import { teamPath } from '../lib/paths';
import { requireAdmitted, requireUser } from './-next';
import { TeamFault, TeamFrame } from './-TeamFrame';
import { importWithRetry } from '../lib/importWithRetry';

/** The shell around a team's pages. */
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
    // Reserved addresses are never teams, so they don't redirect to sign in.
    const { isReservedSlug } = await importWithRetry(() => import('../lib/ids'));
    const { agent_framework } = context.session.environment;
    if (isReservedSlug(params.teamSlug, [agent_framework])) throw notFound();
    requireUser(context.session, location.href);
    // Other teams and unknown teams look alike.
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
