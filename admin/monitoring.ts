import { watchPageErrors } from '../console/lib/monitoring/pageErrors';
import { isAnswer } from './http';

/** Reports errors of the admin area's pages. Error replies of the API, which are shown on screen, aren't any. */
export const pageErrors = watchPageErrors({
  importReporter: () => import('./monitoringReporter'),
  isExpected: isAnswer,
});
