import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tokensSearch } from '../features/accounts/tokens/search';
import { TokensPage } from '../features/accounts/tokens/TokensPage';
import { tokensPath } from '../lib/paths';
import { importWithRetry } from '../lib/importWithRetry';

// The router splits off components only; other imports of a route end up in every page's first chunk.
const TokensAside = lazyRouteComponent(
  () => importWithRetry(() => import('../features/accounts/tokens/TokensAside')),
  'TokensAside',
);

export const Route = createFileRoute('/$teamSlug/tokens')({
  validateSearch: tokensSearch,
  staticData: { crumb: 'API tokens', aside: TokensAside },
  component: function Tokens() {
    const { teamSlug } = Route.useParams();
    return <TokensPage teamSlug={teamSlug} search={Route.useSearch()} base={tokensPath(teamSlug)} />;
  },
});
