/** Levels that can be set at runtime, from the least to the most detailed. */
export const RUNTIME_LOG_LEVELS = ['error', 'warn', 'info', 'debug', 'trace'] as const;
export type RuntimeLogLevel = (typeof RUNTIME_LOG_LEVELS)[number];

/** How long a level applies, in minutes. Always limited, so that no installation keeps writing debug logs. */
export const LOG_LEVEL_MINUTES = { default: 60, max: 1_440 } as const;

/** A level that temporarily replaces LOG_LEVEL. */
export interface TemporaryLogLevel {
  level: RuntimeLogLevel;
  /** By the database's clock, so that the machines' clocks don't matter. */
  left_ms: number;
}
