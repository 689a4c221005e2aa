import { addIntegration, browserTracingIntegration } from '@sentry/react';
import { pages } from '../generated/api/pages.gen';
import { pagePattern } from '../console/lib/monitoring/traces';

/** Loaded on sampled page loads only. Measures the page load from its start, then each navigation. */
export function startTraces(): void {
  addIntegration(
    browserTracingIntegration({
      enableInp: false,
      enableLongTask: false,
      enableLongAnimationFrame: false,
      enableHTTPTimings: false,
      beforeStartSpan: (span) => ({
        ...span,
        name: pagePattern(location.pathname, pages),
      }),
    }),
  );
}
