import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8 } from '../bytes';
import { isAddress } from './appAuth';
import { bareHex } from './hex';

/** Returns an address with the checksum encoded in its letter case (EIP-55). @param address 0x and 40 hex digits */
export function checksumAddress(address: string): string {
  const bare = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8(bare)));
  return `0x${[...bare].map((digit, i) => (Number.parseInt(hash[i] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`;
}

/** Returns why an address is invalid, for display at its input; null if it is valid. */
export function addressFault(text: string): string | null {
  if (!isAddress(text)) {
    const digits = text.replace(/^0x/i, '');
    if (/[^0-9a-f]/i.test(digits)) return 'Use 0x and hex digits only: 0-9 and a-f.';
    if (!text.startsWith('0x') && digits.length === 40) return 'Start it with 0x.';
    return lengthFault(digits, 40);
  }
  if (/^0x0{40}$/.test(text)) return 'This is the zero address, which nobody controls.';
  const digits = text.slice(2);
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return isMixed && text !== checksumAddress(text)
    ? 'The checksum doesn’t match, so at least one character is wrong. Copy the address again.'
    : null;
}

/** Like `addressFault`, for an account that receives the ownership. @param owner null if unknown */
export function newOwnerFault(text: string, owner: string | null): string | null {
  const fault = addressFault(text);
  if (fault !== null) return fault;
  return text.toLowerCase() === owner?.toLowerCase() ? 'This account is already the owner.' : null;
}

/** Like `addressFault`, for a gateway's app ID, or `any`. */
export function gatewayFault(text: string): string | null {
  if (/^(?:[0-9a-f]{40}|any)$/i.test(text))
    return /^any$/i.test(text) && text !== 'any' ? 'Write any in lower case.' : null;
  if (/^0x/i.test(text)) return 'Leave out 0x.';
  return /[^0-9a-f]/i.test(text) ? 'Use hex digits only: 0-9 and a-f.' : lengthFault(text, 40);
}

/**
 * Like `addressFault`, for a hash or device ID. Elsewhere, short values are padded with zeros, like in the
 * published CLI, but a partially copied ID must not allow another device.
 */
export function bytes32Fault(text: string): string | null {
  const bare = bareHex(text);
  if (/[^0-9a-f]/.test(bare)) return 'Use hex digits only: 0-9 and a-f.';
  return bare.length === 64 ? null : lengthFault(bare, 64);
}

const lengthFault = (digits: string, expected: number): string =>
  `This has ${digits.length === 1 ? '1 hex digit' : `${digits.length} hex digits`} instead of ${expected}. Check that you copied all of it.`;
