import { sql } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { Db } from '../../db/core/client';
import { SILENT_AFTER } from '../../db/platform/workersTable';
import type { PeriodicRun, PeriodicScope } from './periodic';
import { steadyClock } from './steadyClock';

interface Seen {
  id: string;
  name: string;
  every_ms: number;
  scope: PeriodicScope;
  /** By the clock given, like the other times here. */
  began: number;
  duration_ms: number;
  runs: number;
  failures: number;
  failed: number | null;
  last_error: string | null;
}

interface Cuts {
  cut_short: number;
  cut: number;
  left_over: number;
}

export interface ScheduleRuns {
  ran(run: PeriodicRun): void;
  /** Records that a run hit a limit and left something for the next one. */
  cutShort(id: string, left: number): void;
  flush(): Promise<void>;
}

const NO_CUTS = { cut_short: 0, cut: null, left_over: null } as const;

/**
 * Collects schedule runs and writes them in batches: most tasks run every second, and nobody needs that
 * resolution. Times are stored by the database's clock, since several workers write the same row.
 * @param clock milliseconds; only differences count
 */
export function createScheduleRuns(db: Db, worker_id: string, clock = steadyClock()): ScheduleRuns {
  const seen = new Map<string, Seen>();
  const cuts = new Map<string, Cuts>();
  return {
    cutShort(id, left) {
      const cut_short = (cuts.get(id)?.cut_short ?? 0) + 1;
      cuts.set(id, { cut_short, cut: clock(), left_over: left });
    },
    ran({ id, name, every_ms, scope, duration_ms, error }) {
      const before = seen.get(id);
      const ended = clock();
      seen.set(id, {
        id,
        name,
        every_ms,
        scope,
        began: ended - duration_ms,
        duration_ms,
        runs: (before?.runs ?? 0) + 1,
        failures: (before?.failures ?? 0) + (error === null ? 0 : 1),
        failed: error === null ? (before?.failed ?? null) : ended,
        last_error: error,
      });
    },
    async flush() {
      const rows = [...seen.values()].map((row) => ({ ...row, ...(cuts.get(row.id) ?? NO_CUTS) }));
      seen.clear();
      if (rows.length === 0) return;
      // Cuts of unfinished runs stay for their row.
      for (const { id } of rows) cuts.delete(id);
      const single = rows.filter(({ scope }) => scope === 'installation').map(({ id }) => id);
      const flushed = clock();
      const at = (moment: number) => sql<Date>`now() - make_interval(secs => ${(flushed - moment) / 1000})`;
      // Success in one process doesn't end a failure in another one that runs the task, too.
      const failsElsewhere = sql`excluded.last_error is null and schedule_runs.last_error is not null
        and schedule_runs.id <> all(${single}::text[]) and schedule_runs.worker_id <> excluded.worker_id
        and exists (select 1 from workers w
          where w.id = schedule_runs.worker_id and w.seen_at > now() - ${SILENT_AFTER})`;
      await db
        .insertInto('schedule_runs')
        .values(
          rows.map(({ every_ms, scope: _, began, failed, cut, ...row }) => ({
            ...row,
            every_seconds: every_ms / 1000,
            last_run_at: at(began),
            next_run_at: at(began + every_ms),
            last_failed_at: failed === null ? null : at(failed),
            last_cut_at: cut === null ? null : at(cut),
            last_error: row.last_error === null ? null : cutWhole(row.last_error, 2000),
            worker_id,
          })),
        )
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({
            name: sql`excluded.name`,
            every_seconds: sql`excluded.every_seconds`,
            last_run_at: sql`greatest(schedule_runs.last_run_at, excluded.last_run_at)`,
            next_run_at: sql`greatest(schedule_runs.next_run_at, excluded.next_run_at)`,
            duration_ms: sql`excluded.duration_ms`,
            runs: sql`schedule_runs.runs + excluded.runs`,
            failures: sql`schedule_runs.failures + excluded.failures`,
            last_failed_at: sql`coalesce(excluded.last_failed_at, schedule_runs.last_failed_at)`,
            last_error: sql`case when ${failsElsewhere} then schedule_runs.last_error else excluded.last_error end`,
            cut_short: sql`schedule_runs.cut_short + excluded.cut_short`,
            last_cut_at: sql`coalesce(excluded.last_cut_at, schedule_runs.last_cut_at)`,
            left_over: sql`coalesce(excluded.left_over, schedule_runs.left_over)`,
            worker_id: sql`case when ${failsElsewhere} then schedule_runs.worker_id else excluded.worker_id end`,
          }),
        )
        .execute();
    },
  };
}
