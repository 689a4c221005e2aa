/**
 * One row per teepod: its current collection round. A process claims a round before collecting, so that each
 * round is collected once (migration 0011_metrics).
 */
export interface MetricRoundsTable {
  teepod_id: number;
  /** Start of the round. */
  round_at: Date;
  /** Process that claimed it. */
  owner: string;
  finished_at: Date | null;
  /** CVMs in the round; null until it finishes. */
  cvms: number | null;
  /** CVMs that answered; null until it finishes. */
  answered: number | null;
}
