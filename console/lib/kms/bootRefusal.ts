/**
 * What a contract refuses in a boot: the compose hash, the host's device, or something its owner can't allow there.
 */
export type RefusedPart = 'hash' | 'device' | 'other';

/** @param reason in the wording of dstack's contracts */
export function refusedPart(reason: string): RefusedPart {
  if (reason.startsWith('Compose hash not allowed')) return 'hash';
  return reason.startsWith('Device not allowed') ? 'device' : 'other';
}

const REFUSED = /\b(?:boot denied|refused the app keys):[ \t]*([^\r\n"\\]{1,500})/i;

const WITHOUT_KEYS = /\bfailed to get app keys\b|\bthe app gets no keys\b/i;

/** Whether a boot ended because the KMS released no keys, for any reason. */
export const gotNoKeys = (boot_error: string): boolean => WITHOUT_KEYS.test(boot_error);

/**
 * Returns why a KMS refused an app its keys, from the guest's report; null if the boot failed for another reason.
 */
export const keyRefusal = (boot_error: string): string | null =>
  REFUSED.exec(boot_error)?.[1]?.trim().replace(/\.$/, '') || null;
