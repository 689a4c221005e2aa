import { createFileRoute } from '@tanstack/react-router';
import { OverviewPage } from '../../features/apps/OverviewPage';
import { importWithRetry } from '../../lib/importWithRetry';

export const Route = createFileRoute('/$teamSlug/apps/$appId/_pages/')({
  loader: async ({ context, params: { teamSlug, appId } }) => {
    const { loadAppOverview } = await importWithRetry(() => import('../../features/apps/queries'));
    await loadAppOverview(context.queryClient, teamSlug, appId);
  },
  staticData: { crumb: null /* the app itself is the crumb */ },
  component: function Overview() {
    return <OverviewPage {...Route.useParams()} />;
  },
});
