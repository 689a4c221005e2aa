import { createFileRoute, type ErrorComponentProps } from '@tanstack/react-router';
import { defaultTeam, useSession } from '../api/session';
import { costSearch } from '../features/billing/search';
import { CostPage } from '../features/billing/CostPage';
import { Bell } from '../features/notifications/Bell';
import { Shell } from '../shell/Shell';
import { requireChosenTeam } from './-next';
import { TeamFault } from './-TeamFrame';

export const Route = createFileRoute('/cost')({
  validateSearch: costSearch,
  beforeLoad: ({ context, location, search }) => ({
    team: requireChosenTeam(context.session, search.team, location.href),
  }),
  staticData: { crumb: 'Cost' },
  component: function Cost() {
    const { slug } = Route.useRouteContext().team;
    return (
      <Shell teamSlug={slug} bell={<Bell />}>
        <CostPage key={slug} teamSlug={slug} search={Route.useSearch()} />
      </Shell>
    );
  },
  errorComponent: function CostError(props: ErrorComponentProps) {
    return <TeamFault {...props} teamSlug={defaultTeam(useSession())?.slug} />;
  },
});
