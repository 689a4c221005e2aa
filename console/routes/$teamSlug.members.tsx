import { createFileRoute } from '@tanstack/react-router';
import { lazy } from 'react';
import { MembersAside } from '../features/members/MembersAside';
import { MembersPage } from '../features/members/MembersPage';
import { membersSearch } from '../features/members/search';

const SsoPanel = lazy(() => import('../features/sso/SsoPanel').then((m) => ({ default: m.SsoPanel })));

export const Route = createFileRoute('/$teamSlug/members')({
  validateSearch: membersSearch,
  staticData: { crumb: 'Members', aside: MembersAside },
  component: function Members() {
    const { teamSlug } = Route.useParams();
    return (
      <MembersPage
        teamSlug={teamSlug}
        search={Route.useSearch()}
        sso={<SsoPanel slug={teamSlug} />}
        audit={null}
      />
    );
  },
});
