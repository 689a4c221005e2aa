import type { Generated, GeneratedAlways, Selectable } from 'kysely';

export interface AdminViewsTable {
  id: GeneratedAlways<number>;
  user_id: number;
  resource: string;
  name: string;
  query: string;
  shared: Generated<boolean>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface AdminBulkJobsTable {
  id: GeneratedAlways<number>;
  resource: string;
  action: string;
  /** Id of the operation each row is sent to. */
  operation: string;
  /** Written as JSON text. */
  body: unknown;
  filter: unknown;
  user_id: number;
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

export interface AdminBulkJobRowsTable {
  job_id: number;
  /** Its place, from 1. */
  n: number;
  row_id: string;
  state: Generated<'queued' | 'succeeded' | 'failed' | 'skipped'>;
  code: string | null;
  message: string | null;
  finished_at: Date | null;
}

export interface AdminListTables {
  admin_views: AdminViewsTable;
  admin_bulk_jobs: AdminBulkJobsTable;
  admin_bulk_job_rows: AdminBulkJobRowsTable;
}

export type AdminViewTableRow = Selectable<AdminViewsTable>;
export type BulkJobRow = Selectable<AdminBulkJobsTable>;
