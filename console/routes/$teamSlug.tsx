import { createFileRoute, notFound } from '@tanstack/react-router';
import { findTeam } from '../api/session';
import { Shell } from '../features/shell/Shell';
import { isReservedSlug } from '../lib/ids';
import { requireUser } from './-next';

/** Everything of a team: the shell around its pages. */
export const Route = createFileRoute('/$teamSlug')({
  beforeLoad: ({ context, params, location }) => {
    // An address of the product that this version does not serve is nobody's team: no sign-in for it.
    if (isReservedSlug(params.teamSlug)) throw notFound();
    requireUser(context.session, location.href);
    const team = findTeam(context.session, params.teamSlug);
    // A team of others and a team of nobody look the same.
    if (!team) throw notFound();
    return { team };
  },
  loader: ({ context }) => ({ crumb: context.team.name }),
  staticData: { crumb: ({ params }) => params.teamSlug ?? '' },
  component: function Team() {
    return <Shell teamSlug={Route.useParams().teamSlug} />;
  },
});
