import { createFileRoute, type ErrorComponentProps } from '@tanstack/react-router';
import { defaultTeam, useSession } from '../api/session';
import { DebtPage } from '../features/billing/DebtPage';
import { billingSearch } from '../features/billing/search';
import { Bell } from '../features/notifications/Bell';
import { Shell } from '../shell/Shell';
import { requireChosenTeam } from './-next';
import { TeamFault } from './-TeamFrame';

export const Route = createFileRoute('/debt-settlement')({
  validateSearch: billingSearch,
  beforeLoad: ({ context, location, search }) => ({
    team: requireChosenTeam(context.session, search.team, location.href),
  }),
  staticData: { crumb: null /* the specification has none here */, title: 'Debt settlement' },
  component: function DebtSettlement() {
    const { slug } = Route.useRouteContext().team;
    return (
      <Shell teamSlug={slug} bell={<Bell />}>
        {/* Remounted per team, so that no form state carries over. */}
        <DebtPage key={slug} teamSlug={slug} />
      </Shell>
    );
  },
  errorComponent: function DebtError(props: ErrorComponentProps) {
    return <TeamFault {...props} teamSlug={defaultTeam(useSession())?.slug} />;
  },
});
