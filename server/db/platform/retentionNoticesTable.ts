/**
 * One row per kind of data and team, or of the platform, whose deletion was announced: nothing is deleted without.
 * Written by housekeeping (migration 0327_retention_notices).
 */
export interface RetentionNoticesTable {
  /** A kind of `RETENTION`, for its age; with `_limit`, for its number. */
  kind: string;
  /** Null for the platform's own data. */
  team_id: number | null;
  /** The latest announcement. */
  announced_at: Date;
  /** When deletion may start. Stays while one announcement follows another. */
  starts_at: Date;
  /** Older rows are covered. */
  covers_until: Date;
}
