import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { LaunchPage } from '../features/launch/LaunchPage';
import { launchSearch } from '../features/launch/search';

// Only components are split off by the router's plugin: what else a route names would be in every page's first chunk.
const LaunchAside = lazyRouteComponent(() => import('../features/launch/LaunchAside'), 'LaunchAside');

export const Route = createFileRoute('/$teamSlug/launch')({
  validateSearch: launchSearch,
  staticData: { crumb: 'Launch', aside: LaunchAside },
  component: function Launch() {
    return <LaunchPage teamSlug={Route.useParams().teamSlug} />;
  },
});
