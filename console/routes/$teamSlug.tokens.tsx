import { createFileRoute } from '@tanstack/react-router';
import { tokensSearch } from '../features/tokens/search';
import { TokensAside } from '../features/tokens/TokensAside';
import { TokensPage } from '../features/tokens/TokensPage';
import { tokensPath } from '../lib/paths';

export const Route = createFileRoute('/$teamSlug/tokens')({
  validateSearch: tokensSearch,
  staticData: { crumb: 'API tokens', aside: TokensAside },
  component: function Tokens() {
    const { teamSlug } = Route.useParams();
    return <TokensPage teamSlug={teamSlug} search={Route.useSearch()} base={tokensPath(teamSlug)} />;
  },
});
