import type { Generated } from 'kysely';

/**
 * One row per schedule: its last run and totals. Written in batches by the worker that runs it (migration
 * 0024_queues).
 */
export interface ScheduleRunsTable {
  id: string;
  name: string;
  every_seconds: number;
  last_run_at: Date | null;
  next_run_at: Date | null;
  /** Last run. */
  duration_ms: Generated<number>;
  /** Total. */
  runs: Generated<number>;
  /** Total. */
  failures: Generated<number>;
  last_failed_at: Date | null;
  last_error: string | null;
  /** Runs that ended at a limit, in total. */
  cut_short: Generated<number>;
  last_cut_at: Date | null;
  /** Work left by the last of them for the next run. */
  left_over: number | null;
  worker_id: string | null;
}
