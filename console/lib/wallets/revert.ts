import { ownValue } from '../ownValue';

/** Errors of dstack's contracts by selector; `{}` stands for the address in the first argument. */
const ERRORS: Readonly<Record<string, string>> = {
  // The required account is the owner or, for an acceptance, the pending owner.
  '118cdaa7': 'The account {} isn’t authorized to do this.',
  '1e4fbdf7': 'The account {} can’t become the owner.',
  f92ee8a9: 'The contract is already initialized.',
  d7e6bcf8: 'The contract isn’t initialized.',
  e07c8dba: 'The contract can only be upgraded through its proxy.',
  '4c9c8ce3': '{} isn’t a valid implementation.',
  '9996b315': 'There is no contract at {}.',
  d6bda275: 'A call inside the transaction failed.',
};
const ERROR_STRING = '08c379a0';

/** Returns the reason in a reverted call's data; null if there is none or it is unknown. */
export function revertReason(data: string): string | null {
  const hex = data.toLowerCase().replace(/^0x/, '');
  const selector = hex.slice(0, 8);
  const words = hex.slice(8);
  if (selector === ERROR_STRING) {
    const length = Number.parseInt(words.slice(64, 128), 16);
    if (!Number.isSafeInteger(length) || length > 2000) return null;
    const bytes = words.slice(128, 128 + length * 2).match(/../g) ?? [];
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
  }
  return ownValue(ERRORS, selector)?.replace('{}', `0x${words.slice(24, 64)}`) ?? null;
}
