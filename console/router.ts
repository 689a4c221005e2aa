import type { QueryClient } from '@tanstack/react-query';
import {
  createRouter,
  parseSearchWith,
  stringifySearchWith,
  type RouteComponent,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { NotFound } from './shell/fallback/NotFound';
import { RouteError } from './shell/fallback/RouteError';
import { RoutePending } from './shell/fallback/RoutePending';
import { routeTree } from './routes.gen';
import { retriedPage } from './shell/retriedPage';

/** Input for a breadcrumb label: its route's match. */
interface CrumbSource {
  params: Record<string, string | undefined>;
  loaderData: unknown;
  search: Record<string, unknown>;
}

/** Search values stay as text, as in the address; each route's validateSearch gives them types. */
const asText = (value: string) => value;

export function createAppRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    parseSearch: parseSearchWith(asText),
    stringifySearch: stringifySearchWith(String),
    defaultPreload: 'intent',
    // The query cache decides what is fresh, not the router.
    defaultPreloadStaleTime: 0,
    // Plus the skeletons' own 200 ms: nothing gray before 300 ms, and no skeleton delays a page.
    defaultPendingMs: 100,
    defaultPendingMinMs: 0,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: RoutePending,
    scrollRestoration: true,
    // The page of another CVM, app or team starts over: typed input and open streams belong to the one before. The frame
    // around a team's pages stays.
    defaultRemountDeps: ({ routeId, params }) => (routeId === '/$teamSlug' ? undefined : params),
  });
  for (const { options } of Object.values(router.routesById) as { options: { component?: RouteComponent } }[])
    if (options.component) options.component = retriedPage(options.component);
  return router;
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
  /** The shell's slots (and document.title). Required, so that no route omits them. */
  interface StaticDataRouteOption {
    /**
     * This route's breadcrumb step; null, with the reason beside it, for routes without one. A loader that returns
     * `{ crumb }` overrides it (with the loaded name); `crumbs_above` adds steps before it that aren't in the
     * address.
     */
    crumb: string | ((source: CrumbSource) => string) | null;
    /**
     * Title of pages without a breadcrumb; elsewhere the breadcrumb is the title. Labeled like a crumb: by the
     * loaded name, else by this; nested routes' titles are joined.
     */
    title?: string | ((source: CrumbSource) => string);
    /** Context of the page. The deepest route that sets it wins; null hides it. */
    aside?: ComponentType | null;
  }
}
