/**
 * Shortens the middle and keeps both ends, so that IDs stay recognizable: "app_3f2a…9c01". Counts characters, not
 * UTF-16 units.
 */
export function truncateMiddle(text: string, most = 16): string {
  const characters = [...text];
  if (characters.length <= most || most < 3) return text;
  const tail = Math.floor((most - 1) / 2);
  return `${characters.slice(0, most - 1 - tail).join('')}…${characters.slice(-tail).join('')}`;
}

/** Digits at each end: enough to distinguish an address from one made to resemble it. */
const HEX_ENDS = 6;

/** Returns the short form of an address or hash: "0x709979…dc79c8". Null if it is neither. */
export function shortHex(text: string): string | null {
  const [, prefix = '', digits = ''] = /^(0x)?([0-9a-f]{40,64})$/i.exec(text) ?? [];
  return digits === '' ? null : `${prefix}${digits.slice(0, HEX_ENDS)}…${digits.slice(-HEX_ENDS)}`;
}

/**
 * Shortens an ID for a table or fact. Addresses and hashes have the same form everywhere, so that they can be
 * compared; `most` characters apply to other IDs, and to those short enough to be shown in full.
 */
export function shortId(text: string, most?: number): string {
  if (most !== undefined && (most === 0 || [...text].length <= most)) return text;
  const hex = most === undefined || text.startsWith('0x') ? shortHex(text) : null;
  return hex ?? truncateMiddle(text, most);
}
