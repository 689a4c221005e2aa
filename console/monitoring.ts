import { watchPageErrors } from './lib/monitoring/pageErrors';

const names = new Set(['ApiError', 'AbortError']);

/** Reports errors of the console's pages. API errors that are shown on screen, and aborted requests, aren't any. */
export const pageErrors = watchPageErrors({
  importReporter: () => import('./monitoringReporter'),
  isExpected: (error) => error instanceof Error && names.has(error.name),
});
