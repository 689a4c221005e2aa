import { watchPageErrors } from './lib/monitoring/pageErrors';

const names = new Set(['ApiError', 'AbortError']);

/** Reports page errors of the console. API errors shown on screen, and aborted requests, aren't reported. */
export const pageErrors = watchPageErrors({
  importReporter: () => import('./monitoringReporter'),
  isExpected: (error) => error instanceof Error && names.has(error.name),
});
