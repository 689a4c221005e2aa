import {
  captureException,
  dedupeIntegration,
  functionToStringIntegration,
  globalHandlersIntegration,
  init,
  linkedErrorsIntegration,
  type ErrorEvent,
} from '@sentry/react';
import { scrub, type Tunnel } from '../console/lib/scrub';
import { isAnswer } from './http';

export interface CaughtError {
  error: unknown;
  event_id: string;
}

/** Loaded on demand by monitoring.ts. Errors only: no tracing, no replay, no breadcrumbs of what an administrator looked at. */
export function createReporter({ dsn, tunnel }: Tunnel, release: string): (caught: CaughtError) => void {
  init({
    dsn,
    tunnel,
    release: `teehouse-admin@${release}`,
    environment: import.meta.env.MODE,
    defaultIntegrations: false,
    integrations: [
      functionToStringIntegration(),
      linkedErrorsIntegration(),
      dedupeIntegration(),
      globalHandlersIntegration(),
    ],
    beforeSend: (event, hint) => (isAnswer(hint.originalException) ? null : clean(event)),
  });
  return ({ error, event_id }) => {
    captureException(error, { event_id });
  };
}

/** Only what a fault is understood by: the stack and the page's path. */
function clean(event: ErrorEvent): ErrorEvent {
  const { user: _user, extra: _extra, server_name: _server, breadcrumbs: _crumbs, request, ...rest } = event;
  const url = request?.url?.split(/[?#]/)[0];
  return scrub({ ...rest, ...(url === undefined ? {} : { request: { url } }) });
}
