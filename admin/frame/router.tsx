import { useCallback, useMemo, type ReactNode } from 'react';
import { reactRouterProvider, type RouterProvider } from 'react-admin';
import { resolvePath, Route, Routes, useLocation, type To } from 'react-router';
import { toInternal, toPublished } from '../paths';

/*
 * react-admin uses its own paths (`/nodes/5/show`), while links and the address bar show the published ones
 * (`/infra/nodes/5`). Locations are translated where react-admin reads them, targets where it navigates or links.
 */

const internal = <T extends { pathname: string }>(location: T): T => ({
  ...location,
  pathname: toInternal(location.pathname) || '/',
});

/** Targets without a path are relative to the current page, so they are resolved before the path is translated. */
function published(to: Partial<Exclude<To, string>> | string, current: string): To {
  const target = resolvePath(to, current);
  return { ...target, pathname: toPublished(target.pathname) || '/' };
}

/** Renders its children on react-admin's paths: every useLocation and Routes inside sees those. */
export function InternalRoutes({ children }: { children: ReactNode }) {
  const location = useLocation();
  const translated = useMemo(() => internal(location), [location]);
  return (
    <Routes location={translated}>
      <Route path="*" element={children} />
    </Routes>
  );
}

const { Link, Navigate } = reactRouterProvider;

/** react-admin's router with targets translated to published addresses. */
export const routerProvider: RouterProvider = {
  ...reactRouterProvider,
  useNavigate: () => {
    const navigate = reactRouterProvider.useNavigate();
    const { pathname } = useLocation();
    return useCallback(
      (to, options) => navigate(typeof to === 'number' ? to : published(to, pathname), options),
      [navigate, pathname],
    );
  },
  useBlocker: (shouldBlock) =>
    reactRouterProvider.useBlocker(
      typeof shouldBlock === 'boolean'
        ? shouldBlock
        : ({ currentLocation, nextLocation, historyAction }) =>
            shouldBlock({
              currentLocation: internal(currentLocation),
              nextLocation: internal(nextLocation),
              historyAction,
            }),
    ),
  Link: ({ to, ...rest }) => {
    const { pathname } = useLocation();
    return <Link {...rest} to={published(to, pathname)} />;
  },
  Navigate: ({ to, ...rest }) => {
    const { pathname } = useLocation();
    return <Navigate {...rest} to={published(to, pathname)} />;
  },
};
