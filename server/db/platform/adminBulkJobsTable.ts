import type { Generated, GeneratedAlways, Selectable } from 'kysely';

/**
 * One row per bulk action of staff on many rows. Written with the request, run by the worker that holds the
 * lease (migration 0018_admin_lists).
 */
export interface AdminBulkJobsTable {
  id: GeneratedAlways<number>;
  resource: string;
  action: string;
  /** Operation ID of the API call made for each row. */
  operation: string;
  /** Written as JSON text. */
  body: unknown;
  filter: unknown;
  /** User whose permissions apply. */
  user_id: number;
  /** API token that requested it; null for a session. */
  token_id: number | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string;
  state: Generated<'queued' | 'running' | 'finished' | 'cancelled'>;
  total: number;
  succeeded: Generated<number>;
  failed: Generated<number>;
  skipped: Generated<number>;
  cancel_requested_at: Date | null;
  lease_owner: string | null;
  lease_until: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
  started_at: Date | null;
  finished_at: Date | null;
}

export type BulkJobRow = Selectable<AdminBulkJobsTable>;
