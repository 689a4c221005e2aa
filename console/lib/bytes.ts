// Text and hex helpers that behave the same in a browser, in Node and in a worker.

const encoder = new TextEncoder();

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Length of `text` in UTF-8 bytes, the unit of every guest size limit. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/**
 * Returns whether the string contains a lone surrogate. It has no UTF-8 form: TextEncoder would silently
 * replace it, so the hashed or encrypted bytes would differ from what was typed.
 */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

export function bytesToHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

/**
 * Parses hex (optional `0x`); null unless it is an even number of hex digits. Unlike Buffer.from(…, "hex"), it
 * never stops silently at the first invalid character.
 */
export function hexToBytes(hex: string): Uint8Array | null {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex;
  if (digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits)) return null;
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  }
  return bytes;
}

export function concatBytes(...parts: Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
