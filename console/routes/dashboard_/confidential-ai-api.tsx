import { createFileRoute, type ErrorComponentProps } from '@tanstack/react-router';
import { defaultTeam, useSession } from '../../api/session';
import { AiApiPage } from '../../features/ai/AiApiPage';
import { aiSearch } from '../../features/ai/search';
import { Bell } from '../../features/notifications/Bell';
import { Shell } from '../../shell/Shell';
import { requireChosenTeam } from '../-next';
import { TeamFault } from '../-TeamFrame';

export const Route = createFileRoute('/dashboard_/confidential-ai-api')({
  validateSearch: aiSearch,
  beforeLoad: ({ context, location, search }) => ({
    team: requireChosenTeam(context.session, search.team, location.href),
  }),
  staticData: { crumb: null /* as the other pages below /dashboard */, title: 'Confidential AI' },
  component: function ConfidentialAiApi() {
    const { slug } = Route.useRouteContext().team;
    return (
      <Shell teamSlug={slug} bell={<Bell />}>
        <AiApiPage key={slug} teamSlug={slug} search={Route.useSearch()} />
      </Shell>
    );
  },
  errorComponent: function ConfidentialAiApiError(props: ErrorComponentProps) {
    return <TeamFault {...props} teamSlug={defaultTeam(useSession())?.slug} />;
  },
});
