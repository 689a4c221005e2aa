// The build without remote scripts, which the content security policy would block.
import posthog from 'posthog-js/dist/module.no-external';

/**
 * The only properties that are sent. The library adds more by default, such as the session's initial address, which may
 * contain an invitation token.
 */
const PROPERTIES = new Set([
  'token',
  'distinct_id',
  '$process_person_profile',
  '$session_id',
  '$insert_id',
  '$time',
  '$lib',
  '$lib_version',
  '$browser',
  '$browser_version',
  '$os',
  '$device_type',
  'route',
  'detail',
  'environment',
]);

/** Automatic collection is off, and nothing is stored on the device. */
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
  before_send: (captured) =>
    captured && {
      uuid: captured.uuid,
      event: captured.event,
      properties: Object.fromEntries(
        Object.entries(captured.properties).filter(([name]) => PROPERTIES.has(name)),
      ),
      ...(captured.timestamp ? { timestamp: captured.timestamp } : {}),
    },
};

/** Loaded on demand by analytics.ts. `host` is the server's POSTHOG_HOST, which its content security policy allows. */
export function createCounter(key: string, host: string, environment: string) {
  posthog.init(key, { ...settings, api_host: host });
  // The library persists an earlier `stop` on the device, but the user has opted in since.
  if (posthog.has_opted_out_capturing()) posthog.opt_in_capturing({ captureEventName: null });
  return {
    capture: (event: string, properties: Record<string, string>): void =>
      void posthog.capture(event, { ...properties, environment }),
    stop: () => posthog.opt_out_capturing(),
  };
}
