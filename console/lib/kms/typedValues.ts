import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8 } from '../bytes';
import { isAddress } from './appAuth';
import { bareHex } from './words';

/** Returns an address with the checksum in its letters' case (EIP-55). @param address 0x and 40 hex digits */
export function checksumAddress(address: string): string {
  const bare = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8(bare)));
  return `0x${[...bare].map((digit, i) => (Number.parseInt(hash[i] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit)).join('')}`;
}

/** Returns what is wrong with an address that someone typed, for the person who did; null if it can be used. */
export function addressFault(text: string): string | null {
  if (!isAddress(text)) {
    const digits = text.replace(/^0x/i, '');
    if (/[^0-9a-f]/i.test(digits)) return 'Use 0x and hex digits only: 0-9 and a-f.';
    if (!text.startsWith('0x') && digits.length === 40) return 'Start it with 0x.';
    return `This has ${digits.length} of 40 hex digits. Check that it was copied whole.`;
  }
  if (/^0x0{40}$/.test(text)) return 'Nobody has the zero address.';
  const digits = text.slice(2);
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return isMixed && text !== checksumAddress(text)
    ? 'Its checksum is wrong, so at least one character is. Copy it again.'
    : null;
}

/**
 * The same for a hash or a device ID. Contracts would take a part of one as if zeros followed: an ID that was copied in
 * part must not allow another device.
 */
export function wordFault(text: string): string | null {
  const bare = bareHex(text);
  if (/[^0-9a-f]/.test(bare)) return 'Use hex digits only: 0-9 and a-f.';
  return bare.length === 64
    ? null
    : `This has ${bare.length} of 64 hex digits. Check that it was copied whole.`;
}
