import { createFileRoute, type ErrorComponentProps } from '@tanstack/react-router';
import { defaultTeam, useSession } from '../api/session';
import { usageSearch } from '../features/billing/search';
import { UsagePage } from '../features/billing/UsagePage';
import { Bell } from '../features/notifications/Bell';
import { Shell } from '../shell/Shell';
import { requireChosenTeam } from './-next';
import { TeamFault } from './-TeamFrame';

export const Route = createFileRoute('/usage')({
  validateSearch: usageSearch,
  beforeLoad: ({ context, location, search }) => ({
    team: requireChosenTeam(context.session, search.team, location.href),
  }),
  staticData: { crumb: 'Usage' },
  component: function Usage() {
    const { slug } = Route.useRouteContext().team;
    return (
      <Shell teamSlug={slug} bell={<Bell />}>
        <UsagePage key={slug} teamSlug={slug} search={Route.useSearch()} />
      </Shell>
    );
  },
  errorComponent: function UsageError(props: ErrorComponentProps) {
    return <TeamFault {...props} teamSlug={defaultTeam(useSession())?.slug} />;
  },
});
