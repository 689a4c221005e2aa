import { createFileRoute, useNavigate, type ErrorComponentProps } from '@tanstack/react-router';
import { defaultTeam, useSession } from '../../api/session';
import { AiModelsPage } from '../../features/ai/AiModelsPage';
import { modelsSearch } from '../../features/ai/search';
import { modelsHref } from '../../lib/ai/addresses';
import { importWithRetry } from '../../lib/importWithRetry';
import { Bell } from '../../features/notifications/Bell';
import { Shell } from '../../shell/Shell';
import { requireChosenTeam } from '../-next';
import { TeamFault } from '../-TeamFrame';

export const Route = createFileRoute('/dashboard_/confidential-ai-models')({
  validateSearch: modelsSearch,
  beforeLoad: ({ context, location, search }) => ({
    team: requireChosenTeam(context.session, search.team, location.href),
  }),
  loader: async ({ context: { queryClient, team } }) => {
    const { loadModels } = await importWithRetry(() => import('../../features/ai/queries'));
    await loadModels(queryClient, team.slug);
  },
  staticData: { crumb: null /* as the other pages below /dashboard */, title: 'AI models' },
  component: function ConfidentialAiModels() {
    const { slug } = Route.useRouteContext().team;
    const { team, reads, writes } = Route.useSearch();
    const navigate = useNavigate();
    return (
      <Shell teamSlug={slug} bell={<Bell />}>
        <AiModelsPage
          key={slug}
          teamSlug={slug}
          team={team}
          filter={{ reads, writes }}
          onFilter={(filter) => void navigate({ href: modelsHref({ team, ...filter }), resetScroll: false })}
        />
      </Shell>
    );
  },
  errorComponent: function ConfidentialAiModelsError(props: ErrorComponentProps) {
    return <TeamFault {...props} teamSlug={defaultTeam(useSession())?.slug} />;
  },
});
