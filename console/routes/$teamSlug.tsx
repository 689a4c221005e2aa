import { createFileRoute, notFound, redirect, type ErrorComponentProps } from '@tanstack/react-router';
import { ApiError } from '../api/apiError';
import { findFormerTeam, findTeam, useSession } from '../api/session';
import { TeamGate } from '../features/auth/TeamGate';
import { UnverifiedBanner } from '../features/auth/UnverifiedBanner';
import { RouteError } from '../features/fallback/RouteError';
import { Shell } from '../features/shell/Shell';
import { SsoButton } from '../features/sso/SsoButton';
import { teamPath } from '../lib/paths';
import { requireUser } from './-next';

/** Everything of a team: the shell around its pages. */
export const Route = createFileRoute('/$teamSlug')({
  beforeLoad: async ({ context, params, location }) => {
    const team = findTeam(context.session, params.teamSlug);
    if (team) {
      // Thrown, so that no page of the team asks for what it would be refused.
      if (team.refused !== null)
        throw new ApiError({ status: 403, message: 'The team asks more of your session.' });
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
  loader: ({ context }) => ({ crumb: context.team.name }),
  staticData: { crumb: ({ params }) => params.teamSlug ?? '' },
  component: function Team() {
    const { user } = useSession();
    return (
      <Shell
        teamSlug={Route.useParams().teamSlug}
        announcements={user?.email_verified === false ? <UnverifiedBanner user={user} /> : undefined}
      />
    );
  },
  errorComponent: function TeamError(props: ErrorComponentProps) {
    const team = findTeam(useSession(), Route.useParams().teamSlug);
    if (!team || team.refused === null) return <RouteError {...props} />;
    const here = location.pathname + location.search;
    return <TeamGate team={team} sso={<SsoButton by={{ team_slug: team.slug }} next={here} />} />;
  },
});
