// The build without remote scripts: the content security policy allows none.
import posthog from 'posthog-js/dist/module.no-external';

/** Everything the library would collect by itself is off; nothing is stored on the device. */
const settings: Parameters<typeof posthog.init>[1] = {
  persistence: 'memory',
  autocapture: false,
  capture_pageview: false,
  capture_pageleave: false,
  disable_session_recording: true,
  disable_surveys: true,
  advanced_disable_flags: true,
  respect_dnt: true,
  person_profiles: 'never',
  property_denylist: [
    '$current_url',
    '$pathname',
    '$referrer',
    '$referring_domain',
    '$host',
    '$initial_person_info',
    'title',
  ],
};

/** Loaded on demand by analytics.ts. `host` is the server's POSTHOG_HOST, which its content security policy allows. */
export function createCounter(key: string, host: string) {
  posthog.init(key, { ...settings, api_host: host });
  return {
    capture: (event: string, properties: Record<string, string>): void =>
      void posthog.capture(event, properties),
    stop: () => posthog.opt_out_capturing(),
  };
}
