const MAX_DAYS = 366;

/** Returns the time this many hours from now, rounded to a full minute. */
export const ahead = (hours: number, now: number): Date =>
  new Date(Math.ceil((now + hours * 3_600_000) / 60_000) * 60_000);

/**
 * Returns why the time can't be scheduled, or null. `when` is null if the typed local time doesn't exist in the zone.
 */
export function timeFault(when: Date | null, now: number): string | null {
  if (when === null) return 'This date and time doesn’t exist in the selected time zone.';
  if (when.getTime() <= now) return 'This time is in the past.';
  if (when.getTime() - now > MAX_DAYS * 86_400_000) return 'Choose a time within one year.';
  return null;
}
