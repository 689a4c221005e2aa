import { createFileRoute } from '@tanstack/react-router';
import { AppLayout } from '../features/apps/AppLayout';
import { importWithRetry } from '../lib/importWithRetry';

/** Header and tabs of the app's own pages; CVMs below it have their own. */
export const Route = createFileRoute('/$teamSlug/apps/$appId/_pages')({
  loader: async ({ context, params: { teamSlug, appId } }) => {
    const { loadAppCvms } = await importWithRetry(() => import('../features/apps/queries'));
    await loadAppCvms(context.queryClient, teamSlug, appId);
  },
  staticData: { crumb: null /* not a step of the address */ },
  component: function AppPages() {
    return <AppLayout {...Route.useParams()} />;
  },
});
