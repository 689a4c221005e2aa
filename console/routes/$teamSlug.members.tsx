import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { auditSearch } from '../features/audit/search';
import { MembersPage } from '../features/teams/members/MembersPage';
import { membersSearch, membersTitles } from '../features/teams/members/search';
import { webhooksSearch } from '../features/webhooks/search';
import { lazyWithRetry } from '../ui/lazyWithRetry';
import { importWithRetry } from '../lib/importWithRetry';

const AuditTab = lazyWithRetry(() =>
  import('../features/audit/AuditTab').then((m) => ({ default: m.AuditTab })),
);
const WebhooksTab = lazyWithRetry(() =>
  import('../features/webhooks/WebhooksTab').then((m) => ({ default: m.WebhooksTab })),
);
const SsoPanel = lazyWithRetry(() =>
  import('../features/teams/sso/SsoPanel').then((m) => ({ default: m.SsoPanel })),
);

// The router splits off components only; other imports of a route end up in every page's first chunk.
const MembersAside = lazyRouteComponent(
  () => importWithRetry(() => import('../features/teams/members/MembersAside')),
  'MembersAside',
);

export const Route = createFileRoute('/$teamSlug/members')({
  validateSearch: (search) => ({
    ...membersSearch(search),
    ...auditSearch(search),
    ...webhooksSearch(search),
  }),
  loader: async ({ context: { queryClient, team }, params: { teamSlug } }) => {
    const { loadMembers } = await importWithRetry(() => import('../features/teams/members/queries'));
    await loadMembers(queryClient, teamSlug, team.permissions.includes('team.members'));
  },
  staticData: { crumb: ({ search }) => membersTitles(membersSearch(search).tab)[0], aside: MembersAside },
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
