/** How long before a scheduled stop or deletion the team is warned. */
export const WARN_BEFORE_MS = 3_600_000;

/**
 * When the team counts as warned of a newly set time: not yet, or already if it is so near that the notice of
 * setting it serves as the warning.
 */
export const scheduleWarning = (at: Date, now = new Date()): Date | null =>
  at.getTime() - now.getTime() <= WARN_BEFORE_MS ? now : null;
