/** What a contract refuses about a boot: the compose hash, the host's device, or something its owner can't allow there. */
export type RefusedPart = 'hash' | 'device' | 'other';

/** @param reason in the words of dstack's contracts */
export function refusedPart(reason: string): RefusedPart {
  if (reason.startsWith('Compose hash not allowed')) return 'hash';
  return reason.startsWith('Device not allowed') ? 'device' : 'other';
}

const REFUSED = /\b(?:boot denied|refused the app keys):[ \t]*([^\r\n"\\]{1,500})/i;

const WITHOUT_KEYS = /\bfailed to get app keys\b|\bthe app gets no keys\b/i;

/** Whether a boot ended because the KMS released no keys, for whatever reason. */
export const gotNoKeys = (boot_error: string): boolean => WITHOUT_KEYS.test(boot_error);

/** Returns why a KMS refused an app its keys, from what the guest reported; null if that isn't why the boot failed. */
export const keyRefusal = (boot_error: string): string | null =>
  REFUSED.exec(boot_error)?.[1]?.trim().replace(/\.$/, '') || null;
