/** For sentences that people read anywhere: "2026-11-22 16:40 UTC". */
export const utcMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** How long before a scheduled stop or deletion the team is warned. */
export const WARN_BEFORE_MS = 3_600_000;

/**
 * When the team counts as warned of something that is set now: not yet, or already when it is so near that the news of
 * it being set is the warning.
 */
export const scheduleWarning = (at: Date, now = new Date()): Date | null =>
  at.getTime() - now.getTime() <= WARN_BEFORE_MS ? now : null;
