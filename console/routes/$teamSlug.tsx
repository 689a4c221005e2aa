import { createFileRoute, notFound } from '@tanstack/react-router';
import { findTeam } from '../api/session';
import { Shell } from '../features/shell/Shell';
import { requireUser } from './-next';

/** Everything of a team: the shell around its pages. */
export const Route = createFileRoute('/$teamSlug')({
  beforeLoad: async ({ context, params, location }) => {
    const team = findTeam(context.session, params.teamSlug);
    if (team) return { team };
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
    return <Shell teamSlug={Route.useParams().teamSlug} />;
  },
});
