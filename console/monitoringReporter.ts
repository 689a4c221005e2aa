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
import { pages } from '../generated/api/pages.gen';
import { scrub, tunnelOf } from './lib/monitoring/scrub';
import { cleanTransaction } from './lib/monitoring/traces';
import type { CaughtError, MonitoringSettings } from './lib/monitoring/pageErrors';

/** Loaded on demand. Sends errors and timings of traced page loads: no replay, no console or keystroke breadcrumbs. */
export function createReporter(
  { monitoring_dsn, version, environment }: MonitoringSettings,
  traced: boolean,
): (caught: CaughtError) => void {
  const { dsn, tunnel } = tunnelOf(monitoring_dsn);
  init({
    dsn,
    tunnel,
    release: `teehouse-console@${version}`,
    environment,
    defaultIntegrations: false,
    // The page load was sampled before this module loaded. API requests never carry trace headers.
    ...(traced ? { tracesSampleRate: 1, tracePropagationTargets: [] } : {}),
    // The default lifecycle sends spans individually and never calls beforeSendTransaction.
    traceLifecycle: 'static',
    beforeSendTransaction: (event) => cleanTransaction(event, pages),
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
  if (traced) void import('./monitoringTraces').then(({ startTraces }) => startTraces());
  return ({ error, event_id }) => {
    captureException(error, { event_id });
  };
}

/**
 * Keeps only what explains the error: the stack, the page's path and the preceding breadcrumbs. The path itself may
 * contain a token (`/reset-password/{token}`).
 */
export function clean(
  event: ErrorEvent,
  { origin, pathname }: Pick<Location, 'origin' | 'pathname'> = location,
): ErrorEvent {
  const { breadcrumbs, exception, message, transaction } = event;
  delete event.user;
  delete event.extra;
  delete event.server_name;
  event.request = { url: scrub(origin + pathname) };
  // A traced page's errors are named after its address.
  if (transaction !== undefined) event.transaction = scrub(transaction);
  if (exception) event.exception = scrub(exception);
  if (message !== undefined) event.message = scrub(message);
  // Breadcrumb `data` was already reduced by beforeBreadcrumb.
  if (breadcrumbs)
    event.breadcrumbs = breadcrumbs.map((crumb) => ({
      ...scrub(crumb),
      ...(crumb.data ? { data: crumb.data } : {}),
    }));
  return event;
}
