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

/** What a crumb is made from: the match of its route. */
interface CrumbSource {
  params: Record<string, string | undefined>;
  loaderData: unknown;
  search: Record<string, unknown>;
}

/** Search values stay the text they are in the address; each route's validateSearch gives them their types. */
const asText = (value: string) => value;

export function createAppRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    parseSearch: parseSearchWith(asText),
    stringifySearch: stringifySearchWith(String),
    defaultPreload: 'intent',
    // The query cache decides what is fresh, not the router's.
    defaultPreloadStaleTime: 0,
    // With the skeletons' own 200 ms: nothing grey before 300 ms, and no page held back by a skeleton.
    defaultPendingMs: 100,
    defaultPendingMinMs: 0,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: RoutePending,
    scrollRestoration: true,
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
  /** The slots of the shell (and of document.title). Required, so that no route is forgotten. */
  interface StaticDataRouteOption {
    /**
     * This route's step in the breadcrumb; null, with the reason beside it, for routes that are none. A loader that
     * returns `{ crumb }` says it instead (the name of what was loaded); with `crumbs_above` it puts steps before it
     * that the address does not have.
     */
    crumb: string | ((source: CrumbSource) => string) | null;
    /**
     * Title of pages without a breadcrumb; elsewhere the breadcrumb is the title. Named like a crumb: by what was
     * loaded, else as said here; those of nested routes are put together.
     */
    title?: string | ((source: CrumbSource) => string);
    /** Context of what is open. The deepest route that says something wins; null hides it. */
    aside?: ComponentType | null;
  }
}
