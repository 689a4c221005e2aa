/** Preset days, recommended first. The form adds "custom" and "never". */
export const EXPIRY_DAYS = [90, 30, 365] as const;
export const EXPIRY_MAX_DAYS = 3650;
const SOON_MS = 7 * 86_400_000;

export type ExpiryChoice = `${(typeof EXPIRY_DAYS)[number]}` | 'custom' | 'never';

/** Converts the choice to the API's days (null for never). Returns a message if the number of days is invalid. */
export function chosenDays(
  choice: ExpiryChoice,
  custom: string,
): { days: number | null } | { fault: string } {
  if (choice === 'never') return { days: null };
  if (choice !== 'custom') return { days: Number(choice) };
  const days = Number(custom.trim());
  if (custom.trim() === '' || !Number.isInteger(days) || days < 1 || days > EXPIRY_MAX_DAYS)
    return { fault: `Enter 1 to ${EXPIRY_MAX_DAYS} days.` };
  return { days };
}

/** Whether an active token expires within a week. */
export function endsSoon(expires_at: string | null, now: number): boolean {
  if (expires_at === null) return false;
  const left = Date.parse(expires_at) - now;
  return left > 0 && left < SOON_MS;
}
