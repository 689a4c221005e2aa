/** How long before a scheduled stop or deletion the team is warned. */
export const WARN_BEFORE_MS = 3_600_000;

/**
 * When the team counts as warned of something that is set now: not yet, or already when it is so near that the news of
 * it being set is the warning.
 */
export const scheduleWarning = (at: Date, now = new Date()): Date | null =>
  at.getTime() - now.getTime() <= WARN_BEFORE_MS ? now : null;
