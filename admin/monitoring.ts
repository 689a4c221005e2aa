import { watchPageErrors } from '../console/lib/monitoring/pageErrors';
import { isAnswer } from './http';

/** Reports page errors of the admin area. API errors, which are shown on screen, aren't reported. */
export const pageErrors = watchPageErrors({
  importReporter: () => import('./monitoringReporter'),
  isExpected: isAnswer,
});
