import { createFileRoute, type ErrorComponentProps } from '@tanstack/react-router';
import { defaultTeam, useSession } from '../api/session';
import { BillingPage } from '../features/billing/BillingPage';
import { billingPageSearch } from '../features/billing/search';
import { Bell } from '../features/notifications/Bell';
import { Shell } from '../shell/Shell';
import { requireChosenTeam } from './-next';
import { TeamFault } from './-TeamFrame';

export const Route = createFileRoute('/setup-billing')({
  validateSearch: billingPageSearch,
  beforeLoad: ({ context, location, search }) => ({
    team: requireChosenTeam(context.session, search.team, location.href),
  }),
  staticData: { crumb: null /* the specification has none here */, title: 'Billing' },
  component: function SetUpBilling() {
    const { slug } = Route.useRouteContext().team;
    const { payment, checkout } = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <Shell teamSlug={slug} bell={<Bell />}>
        {/* Remounted per team, so that no form state carries over. */}
        <BillingPage
          key={slug}
          teamSlug={slug}
          returned={
            payment !== undefined && checkout !== undefined ? { paymentId: payment, checkout } : undefined
          }
          onLeave={(left) =>
            navigate({
              search: (search) => ({ ...search, payment: left, checkout: 'left' }),
              replace: true,
            })
          }
          onDismiss={() =>
            void navigate({
              search: ({ team }) => ({ team, payment: undefined, checkout: undefined }),
              replace: true,
            })
          }
        />
      </Shell>
    );
  },
  errorComponent: function BillingError(props: ErrorComponentProps) {
    return <TeamFault {...props} teamSlug={defaultTeam(useSession())?.slug} />;
  },
});
