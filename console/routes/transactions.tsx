import { createFileRoute, type ErrorComponentProps } from '@tanstack/react-router';
import { defaultTeam, useSession } from '../api/session';
import { transactionsSearch } from '../features/billing/search';
import { TransactionsPage } from '../features/billing/TransactionsPage';
import { Bell } from '../features/notifications/Bell';
import { Shell } from '../shell/Shell';
import { requireChosenTeam } from './-next';
import { TeamFault } from './-TeamFrame';

export const Route = createFileRoute('/transactions')({
  validateSearch: transactionsSearch,
  beforeLoad: ({ context, location, search }) => ({
    team: requireChosenTeam(context.session, search.team, location.href),
  }),
  staticData: { crumb: 'Transactions' },
  component: function Transactions() {
    const { slug } = Route.useRouteContext().team;
    return (
      <Shell teamSlug={slug} bell={<Bell />}>
        <TransactionsPage key={slug} teamSlug={slug} search={Route.useSearch()} />
      </Shell>
    );
  },
  errorComponent: function TransactionsError(props: ErrorComponentProps) {
    return <TeamFault {...props} teamSlug={defaultTeam(useSession())?.slug} />;
  },
});
