/** Days one can pick, the recommended one first; "custom" and "never" stand beside them in the form. */
export const EXPIRY_DAYS = [90, 30, 365] as const;
export const EXPIRY_MAX_DAYS = 3650;
const SOON_MS = 7 * 86_400_000;

export type ExpiryChoice = `${(typeof EXPIRY_DAYS)[number]}` | 'custom' | 'never';

/** Days as the API takes them, null for never; a message when what was typed is no number of days. */
export function chosenDays(
  choice: ExpiryChoice,
  custom: string,
): { days: number | null } | { fault: string } {
  if (choice === 'never') return { days: null };
  if (choice !== 'custom') return { days: Number(choice) };
  const days = Number(custom.trim());
  if (custom.trim() === '' || !Number.isInteger(days) || days < 1 || days > EXPIRY_MAX_DAYS)
    return { fault: `A number of days from 1 to ${EXPIRY_MAX_DAYS}.` };
  return { days };
}

/** Whether a token that still works ends within a week. */
export function endsSoon(expires_at: string | null, now: number): boolean {
  if (expires_at === null) return false;
  const left = Date.parse(expires_at) - now;
  return left > 0 && left < SOON_MS;
}
