import { Outlet, useMatches, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { recordPage } from '../analytics';
import { useRouteFocus } from '../ui/announce';
import { titleOf } from './crumbs';

/** Wraps every page: sets the title, moves focus on navigation and records page views if allowed. */
export function Root() {
  const matches = useMatches();
  const title = titleOf(matches);
  const routeId = matches.at(-1)?.routeId ?? '';
  const pathname = useRouterState({
    select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname,
  });
  useEffect(() => {
    document.title = title;
  }, [title]);
  // The route pattern, never the address, which contains names and IDs.
  useEffect(() => recordPage(routeId), [routeId, pathname]);
  useRouteFocus(pathname, title);
  return <Outlet />;
}
