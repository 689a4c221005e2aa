import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { AppPage } from '../features/apps/AppPage';
import { loadApp } from '../features/apps/queries';

// Not split by the router's plugin, as the page itself is.
const AppAside = lazyRouteComponent(() => import('../features/apps/AppAside'));

export const Route = createFileRoute('/$teamSlug/apps/$appId')({
  loader: ({ context, params }) => loadApp(context.queryClient, params.teamSlug, params.appId),
  staticData: { crumb: ({ params }) => params.appId ?? 'App', aside: AppAside },
  component: function App() {
    return <AppPage {...Route.useParams()} />;
  },
});
