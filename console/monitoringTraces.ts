import { addIntegration, browserTracingIntegration } from '@sentry/react';
import { pages } from '../generated/api/pages.gen';
import { pagePattern } from './lib/monitoring/traces';

/** Loaded by the reporter on sampled page loads. Measures the page load and every later navigation. */
export function startTraces(): void {
  addIntegration(
    browserTracingIntegration({
      enableInp: false,
      enableLongTask: false,
      enableLongAnimationFrame: false,
      enableHTTPTimings: false,
      beforeStartSpan: (span) => ({ ...span, name: pagePattern(location.pathname, pages) }),
    }),
  );
}
