/** Levels that can be set while the processes run, from the least to the most detailed. */
export const RUNTIME_LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace'] as const;
export type RuntimeLogLevel = (typeof RUNTIME_LOG_LEVELS)[number];

/** How long a level applies, in minutes. It always ends, so that no installation keeps writing debug logs. */
export const LOG_LEVEL_MINUTES = { default: 60, max: 1_440 } as const;

/** A level that applies instead of LOG_LEVEL for now. */
export interface TemporaryLogLevel {
  level: RuntimeLogLevel;
  /** By the database's clock, so that the clocks of the machines don't matter. */
  left_ms: number;
}
