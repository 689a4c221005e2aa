import type { Generated, GeneratedAlways } from 'kysely';

/**
 * One row per error report received from a page or process. Written by the monitoring endpoint, deleted after
 * 30 days (migration 0001_foundation).
 */
export interface MonitoringEventsTable {
  id: GeneratedAlways<number>;
  received_at: Generated<Date>;
  organization: string;
  project: string;
  kind: string;
  message: Generated<string>;
  environment: string | null;
  release: string | null;
  /** As received; empty once forwarded. */
  envelope: string;
  destination: Generated<'kept' | 'forwarded' | 'failed'>;
  last_error: string | null;
}
