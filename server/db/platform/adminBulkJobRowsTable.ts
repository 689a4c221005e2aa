import type { Generated } from 'kysely';

/**
 * One row per target of a bulk job. Written with the job, updated by the worker that runs it (migration
 * 0018_admin_lists).
 */
export interface AdminBulkJobRowsTable {
  job_id: number;
  /** Position in the job, from 1. */
  n: number;
  /** Target's ID. */
  row_id: string;
  state: Generated<'queued' | 'succeeded' | 'failed' | 'skipped'>;
  /** Error code of a failed row. */
  code: string | null;
  message: string | null;
  finished_at: Date | null;
}
