import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { AppPage } from '../features/apps/AppPage';

// Only components are split off by the router's plugin: what else a route names would be in every page's first chunk.
const AppAside = lazyRouteComponent(() => import('../features/apps/AppAside'), 'AppAside');

export const Route = createFileRoute('/$teamSlug/apps/$appId')({
  loader: async ({ context, params }) => {
    const { loadApp } = await import('../features/apps/queries');
    return loadApp(context.queryClient, params.teamSlug, params.appId);
  },
  staticData: { crumb: ({ params }) => params.appId ?? 'App', aside: AppAside },
  component: function App() {
    return <AppPage {...Route.useParams()} />;
  },
});
