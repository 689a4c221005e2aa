import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { lazy } from 'react';
import { auditSearch } from '../features/audit/search';
import { MembersPage } from '../features/members/MembersPage';
import { membersSearch } from '../features/members/search';
import { webhooksSearch } from '../features/webhooks/search';

const AuditTab = lazy(() => import('../features/audit/AuditTab').then((m) => ({ default: m.AuditTab })));
const WebhooksTab = lazy(() =>
  import('../features/webhooks/WebhooksTab').then((m) => ({ default: m.WebhooksTab })),
);
const SsoPanel = lazy(() => import('../features/sso/SsoPanel').then((m) => ({ default: m.SsoPanel })));

// Only components are split off by the router's plugin: what else a route names would be in every page's first chunk.
const MembersAside = lazyRouteComponent(() => import('../features/members/MembersAside'), 'MembersAside');

export const Route = createFileRoute('/$teamSlug/members')({
  validateSearch: (search) => ({
    ...membersSearch(search),
    ...auditSearch(search),
    ...webhooksSearch(search),
  }),
  loader: async ({ context: { queryClient, team }, params: { teamSlug } }) => {
    const { loadMembers } = await import('../features/members/queries');
    await loadMembers(queryClient, teamSlug, team.permissions.includes('team.members'));
  },
  staticData: { crumb: 'Members', aside: MembersAside },
  component: function Members() {
    const { teamSlug } = Route.useParams();
    const search = Route.useSearch();
    const navigate = Route.useNavigate();
    return (
      <MembersPage
        teamSlug={teamSlug}
        search={search}
        sso={<SsoPanel slug={teamSlug} />}
        webhooks={<WebhooksTab teamSlug={teamSlug} search={webhooksSearch({ ...search })} />}
        audit={
          <AuditTab
            slug={teamSlug}
            search={auditSearch({ ...search })}
            onSearch={(next, { replace }) =>
              void navigate({ search: { tab: 'audit', ...next }, replace, resetScroll: false })
            }
          />
        }
      />
    );
  },
});
