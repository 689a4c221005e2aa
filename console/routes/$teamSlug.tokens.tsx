import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { tokensSearch } from '../features/tokens/search';
import { TokensPage } from '../features/tokens/TokensPage';
import { tokensPath } from '../lib/paths';

// Only components are split off by the router's plugin: what else a route names would be in every page's first chunk.
const TokensAside = lazyRouteComponent(() => import('../features/tokens/TokensAside'), 'TokensAside');

export const Route = createFileRoute('/$teamSlug/tokens')({
  validateSearch: tokensSearch,
  staticData: { crumb: 'API tokens', aside: TokensAside },
  component: function Tokens() {
    const { teamSlug } = Route.useParams();
    return <TokensPage teamSlug={teamSlug} search={Route.useSearch()} base={tokensPath(teamSlug)} />;
  },
});
