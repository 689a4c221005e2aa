import { createFileRoute } from '@tanstack/react-router';
import { RevisionsPage } from '../../features/apps/RevisionsPage';
import { revisionsSearch } from '../../features/apps/revisions/search';
import { importWithRetry } from '../../lib/importWithRetry';

export const Route = createFileRoute('/$teamSlug/apps/$appId/_pages/revisions')({
  validateSearch: revisionsSearch,
  loader: async ({ context, params: { teamSlug, appId } }) => {
    const { loadRevisions } = await importWithRetry(() => import('../../features/apps/queries'));
    await loadRevisions(context.queryClient, teamSlug, appId);
  },
  staticData: { crumb: 'Revisions' },
  component: function Revisions() {
    return <RevisionsPage {...Route.useParams()} search={Route.useSearch()} />;
  },
});
