import { createFileRoute } from '@tanstack/react-router';
import { tokensSearch } from '../../features/accounts/tokens/search';
import { TokensPage } from '../../features/accounts/tokens/TokensPage';
import { tokensPath } from '../../lib/paths';
import { CanonicalLink } from '../../ui/layout/CanonicalLink';

export const Route = createFileRoute('/dashboard/tokens')({
  validateSearch: tokensSearch,
  staticData: { crumb: null /* as above */, title: 'API tokens' },
  component: function DashboardTokens() {
    const { slug } = Route.useRouteContext().team;
    return (
      <>
        <TokensPage teamSlug={slug} search={Route.useSearch()} base="/dashboard/tokens" />
        <CanonicalLink href={tokensPath(slug)} />
      </>
    );
  },
});
