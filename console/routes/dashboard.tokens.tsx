import { createFileRoute, notFound } from '@tanstack/react-router';
import { defaultTeam } from '../api/session';
import { Shell } from '../features/shell/Shell';
import { tokensSearch } from '../features/tokens/search';
import { TokensPage } from '../features/tokens/TokensPage';
import { tokensPath } from '../lib/paths';
import { requireUser } from './-next';

/** The older address, for the default team; the team's own is the one to keep. */
export const Route = createFileRoute('/dashboard/tokens')({
  validateSearch: tokensSearch,
  beforeLoad: ({ context, location }) => {
    requireUser(context.session, location.href);
    const team = defaultTeam(context.session);
    if (!team) throw notFound();
    return { team };
  },
  staticData: { crumb: null /* an older address of a page under its team */, title: 'API tokens' },
  component: function DashboardTokens() {
    const { team } = Route.useRouteContext();
    return (
      <Shell teamSlug={team.slug}>
        <link rel="canonical" href={new URL(tokensPath(team.slug), location.origin).href} />
        <TokensPage teamSlug={team.slug} search={Route.useSearch()} base="/dashboard/tokens" />
      </Shell>
    );
  },
});
