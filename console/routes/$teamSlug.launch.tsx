import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { LaunchPage } from '../features/apps/launch/LaunchPage';
import { launchSearch } from '../features/apps/launch/search';
import { launchPath } from '../lib/paths';
import { useStart } from './-useStart';
import { importWithRetry } from '../lib/importWithRetry';

// The router splits off components only; other imports of a route end up in every page's first chunk.
const LaunchAside = lazyRouteComponent(
  () => importWithRetry(() => import('../features/apps/launch/LaunchAside')),
  'LaunchAside',
);

export const Route = createFileRoute('/$teamSlug/launch')({
  validateSearch: launchSearch,
  staticData: { crumb: 'Launch', aside: LaunchAside },
  component: function Launch() {
    const { teamSlug } = Route.useParams();
    const { onStart, dialog } = useStart(teamSlug);
    return (
      <>
        <LaunchPage
          teamSlug={teamSlug}
          search={Route.useSearch()}
          base={launchPath(teamSlug)}
          onStart={onStart}
        />
        {dialog}
      </>
    );
  },
});
