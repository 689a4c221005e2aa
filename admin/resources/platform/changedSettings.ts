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

/** Prop of a form that can't be submitted: why the user may not, or nothing if the fields show it. */
export const blocked = (refused: string | undefined, isReady: boolean): { blockedReason?: string } =>
  refused !== undefined ? { blockedReason: refused } : isReady ? {} : { blockedReason: '' };
