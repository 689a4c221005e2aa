import { ownValue } from '../../../console/lib/ownValue';

/**
 * Returns the settings that the form changed. The others aren't sent: another administrator may have changed them since
 * the page loaded.
 */
export const changedSettings = <T extends object, K extends keyof T>(
  settings: T,
  wanted: Pick<T, K>,
): Partial<Pick<T, K>> =>
  Object.fromEntries(
    Object.entries(wanted).filter(
      ([name, value]) => value !== ownValue(settings as Record<string, unknown>, name),
    ),
  ) as Partial<Pick<T, K>>;

/** Prop of a form that can't be submitted, with the reason; empty if the fields show it. */
export function blocked(
  refused: string | undefined,
  isValid: boolean,
  changes: object,
): { blockedReason?: string } {
  if (refused !== undefined) return { blockedReason: refused };
  if (!isValid) return { blockedReason: '' };
  return Object.keys(changes).length === 0 ? { blockedReason: 'No changes yet.' } : {};
}
