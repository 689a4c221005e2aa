import { createFileRoute } from '@tanstack/react-router';
import { CvmsPage } from '../../features/apps/CvmsPage';
import { appPath } from '../../lib/paths';
import { CanonicalLink } from '../../ui/layout/CanonicalLink';
import { importWithRetry } from '../../lib/importWithRetry';

export const Route = createFileRoute('/dashboard/apps/$appId/cvms')({
  loader: async ({ context: { queryClient, team }, params: { appId }, location: { href } }) => {
    const { loadApp, loadAppCvms } = await importWithRetry(() => import('../../features/apps/queries'));
    const [loaded] = await Promise.all([
      loadApp({ queryClient, teamSlug: team.slug, appId, href }),
      loadAppCvms(queryClient, team.slug, appId),
    ]);
    return { crumb: `CVMs · ${loaded.crumb}` };
  },
  staticData: { crumb: null /* as above */, title: 'CVMs' },
  component: function DashboardAppCvms() {
    const { slug } = Route.useRouteContext().team;
    const { appId } = Route.useParams();
    return (
      <>
        <CvmsPage teamSlug={slug} appId={appId} titled />
        <CanonicalLink href={appPath(slug, appId, 'cvms')} />
      </>
    );
  },
});
