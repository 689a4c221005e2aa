const LONGEST_DAYS = 366;

/** So many hours from now, at a full minute. */
export const ahead = (hours: number, now: number): Date =>
  new Date(Math.ceil((now + hours * 3_600_000) / 60_000) * 60_000);

/** Why the time cannot be scheduled, or null. `when` null: no clock of the zone ever shows what was typed. */
export function timeFault(when: Date | null, now: number): string | null {
  if (when === null) return 'That date and time does not exist in this zone.';
  if (when.getTime() <= now) return 'That time has passed already.';
  if (when.getTime() - now > LONGEST_DAYS * 86_400_000) return 'That is more than a year away.';
  return null;
}
