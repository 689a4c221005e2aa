import { Outlet, useMatches, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { recordPage } from '../../analytics';
import { useRouteFocus } from '../../ui/announce';
import { titleOf } from './crumbs';

/** Around every page: its title, where the focus goes when it changes, and (if wanted) that it was looked at. */
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
  // The pattern of the address, never the address: it carries names and ids.
  useEffect(() => recordPage(routeId), [routeId, pathname]);
  useRouteFocus(pathname, title);
  return <Outlet />;
}
