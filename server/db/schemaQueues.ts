import type { Generated } from 'kysely';

/** When schedules ran; the columns' meaning stands in migration 0024_queues. */
export interface ScheduleRunsTable {
  id: string;
  name: string;
  every_seconds: number;
  last_run_at: Date | null;
  next_run_at: Date | null;
  duration_ms: Generated<number>;
  runs: Generated<number>;
  failures: Generated<number>;
  last_failed_at: Date | null;
  last_error: string | null;
  worker_id: string | null;
}

export interface QueueTables {
  schedule_runs: ScheduleRunsTable;
}
