import {
  captureException,
  dedupeIntegration,
  functionToStringIntegration,
  globalHandlersIntegration,
  init,
  linkedErrorsIntegration,
  type ErrorEvent,
} from '@sentry/react';
import { pages } from '../generated/api/pages.gen';
import { scrub, tunnelOf } from '../console/lib/monitoring/scrub';
import { cleanTransaction } from '../console/lib/monitoring/traces';
import { isAnswer } from './http';
import type { CaughtError, MonitoringSettings } from '../console/lib/monitoring/pageErrors';

/** Loaded on demand. Sends errors and timings of traced page loads: no replay, no breadcrumbs. */
export function createReporter(
  { monitoring_dsn, version, environment }: MonitoringSettings,
  traced: boolean,
): (caught: CaughtError) => void {
  const { dsn, tunnel } = tunnelOf(monitoring_dsn);
  init({
    dsn,
    tunnel,
    release: `teehouse-admin@${version}`,
    environment,
    defaultIntegrations: false,
    // Sampling happened before this module loaded. The API never receives trace headers.
    ...(traced ? { tracesSampleRate: 1, tracePropagationTargets: [] } : {}),
    // The default lifecycle sends spans one by one and never calls beforeSendTransaction.
    traceLifecycle: 'static',
    beforeSendTransaction: (event) => cleanTransaction(event, pages),
    integrations: [
      functionToStringIntegration(),
      linkedErrorsIntegration(),
      dedupeIntegration(),
      globalHandlersIntegration(),
    ],
    beforeSend: (event, hint) => (isAnswer(hint.originalException) ? null : clean(event)),
  });
  if (traced) void import('./monitoringTraces').then(({ startTraces }) => startTraces());
  return ({ error, event_id }) => {
    captureException(error, { event_id });
  };
}

/** Keeps only the stack and the page's path. */
function clean(event: ErrorEvent): ErrorEvent {
  const { user: _user, extra: _extra, server_name: _server, breadcrumbs: _crumbs, request, ...rest } = event;
  const url = request?.url?.split(/[?#]/)[0];
  return scrub({ ...rest, ...(url === undefined ? {} : { request: { url } }) });
}
