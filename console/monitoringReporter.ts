import {
  breadcrumbsIntegration,
  captureException,
  dedupeIntegration,
  functionToStringIntegration,
  globalHandlersIntegration,
  init,
  linkedErrorsIntegration,
  type ErrorEvent,
} from '@sentry/react';
import type { CaughtError } from './monitoring';
import { scrub, tunnelOf } from './lib/scrub';

/** Loaded on demand by monitoring.ts. Errors only: no tracing, no replay, no console or keystroke breadcrumbs. */
export function createReporter(
  configured_dsn: string | null,
  release: string,
): (caught: CaughtError) => void {
  const { dsn, tunnel } = tunnelOf(configured_dsn);
  init({
    dsn,
    tunnel,
    release: `teehouse-console@${release}`,
    environment: import.meta.env.MODE,
    defaultIntegrations: false,
    integrations: [
      functionToStringIntegration(),
      linkedErrorsIntegration(),
      dedupeIntegration(),
      globalHandlersIntegration(),
      breadcrumbsIntegration({ dom: false, fetch: true, xhr: false, history: true, sentry: false }),
    ],
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
    },
    maxBreadcrumbs: 30,
    beforeBreadcrumb: (crumb) => ({
      ...crumb,
      data: {
        method: crumb.data?.method,
        status_code: crumb.data?.status_code,
        url: scrub(crumb.data?.url),
        from: scrub(crumb.data?.from),
        to: scrub(crumb.data?.to),
      },
    }),
    beforeSend(event, hint) {
      const name = hint.originalException instanceof Error ? hint.originalException.name : '';
      if (name === 'ApiError' || name === 'AbortError') return null;
      return clean(event);
    },
  });
  return ({ error, event_id }) => {
    captureException(error, { event_id });
  };
}

/** Only what a fault is understood by: the stack, the page's path, what happened before. */
function clean(event: ErrorEvent): ErrorEvent {
  const { breadcrumbs, exception, message } = event;
  delete event.user;
  delete event.extra;
  delete event.server_name;
  event.request = { url: location.origin + location.pathname };
  if (exception) event.exception = scrub(exception);
  if (message !== undefined) event.message = scrub(message);
  // Their `data` is already what beforeBreadcrumb left of it.
  if (breadcrumbs)
    event.breadcrumbs = breadcrumbs.map((crumb) => ({
      ...scrub(crumb),
      ...(crumb.data ? { data: crumb.data } : {}),
    }));
  return event;
}
