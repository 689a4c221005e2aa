import { UNSAFE_createBrowserHistory, UNSAFE_createRouter, type RouteObject } from 'react-router';
import { BASE, toInternal, toPublished } from './paths';

type History = ReturnType<typeof UNSAFE_createBrowserHistory>;
type To = Parameters<History['push']>[0];
type Location = History['location'];

const inside = (path: string) => path === BASE || path.startsWith(`${BASE}/`);
const rewritten = (path: string, rewrite: (path: string) => string) =>
  inside(path) ? `${BASE}${rewrite(path.slice(BASE.length))}` : path;

const internal = (path: string) => rewritten(path, toInternal);
const published = (path: string) => rewritten(path, toPublished);

function publish(to: To): To {
  if (typeof to !== 'string')
    return to.pathname === undefined ? to : { ...to, pathname: published(to.pathname) };
  const end = to.search(/[?#]/);
  return end === -1 ? published(to) : published(to.slice(0, end)) + to.slice(end);
}

/**
 * The browser's history with addresses translated on their way in and out, so that the router works on react-admin's own
 * paths while links and the address bar show the published ones. react-router offers no such option itself (TanStack Router
 * does, at 24 KB more), and its history is the one place that every link and navigation passes.
 */
export function rewrite(history: History): History {
  const seen = (location: Location): Location => ({ ...location, pathname: internal(location.pathname) });
  return {
    get action() {
      return history.action;
    },
    get location() {
      return seen(history.location);
    },
    createHref: (to) => history.createHref(publish(to)),
    createURL: (to) => history.createURL(publish(to)),
    encodeLocation: (to) => history.encodeLocation(to),
    push: (to, state) => history.push(publish(to), state),
    replace: (to, state) => history.replace(publish(to), state),
    go: (delta) => history.go(delta),
    listen: (listener) =>
      history.listen((update) => listener({ ...update, location: seen(update.location) })),
  };
}

/** A data router, which react-admin needs to hold back navigation away from unsaved changes. */
export function createAdminRouter(routes: RouteObject[]) {
  const history = rewrite(UNSAFE_createBrowserHistory({ v5Compat: false }));
  return UNSAFE_createRouter({ history, routes, basename: BASE }).initialize();
}
