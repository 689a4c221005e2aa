// A strict reader for DER (X.690 §10, §11), the encoding of X.509 certificates and CRLs. Strict, because forged
// certificates pass when two parsers understand the same bytes differently.
//
// Custom code instead of @peculiar/x509, which is 229 KB minified (59 KB gzip) with a global Reflect polyfill,
// accepts BER, and validates no paths; this needs one screen.

export class DerError extends Error {
  override name = 'DerError';
}

export interface Der {
  tag: number;
  /** The whole element, tag and length included: what signatures are made over. */
  bytes: Uint8Array;
  content: Uint8Array;
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  enumerated: 0x0a,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Context-specific constructed tag `[n]`. */
export const context = (n: number): number => 0xa0 | n;

function readAt(bytes: Uint8Array, start: number): { node: Der; end: number } {
  const tag = bytes[start];
  const first = bytes[start + 1];
  if (tag === undefined || first === undefined) throw new DerError('an element is truncated');
  if ((tag & 0x1f) === 0x1f) throw new DerError('a tag has more than one byte');
  let length = first;
  let at = start + 2;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4) throw new DerError('a length is indefinite or too long');
    length = 0;
    for (let i = 0; i < count; i++) {
      const byte = bytes[at++];
      if (byte === undefined) throw new DerError('a length is truncated');
      length = length * 256 + byte;
    }
    if (length < 0x80 || length < 256 ** (count - 1))
      throw new DerError('a length is not in its shortest form');
  }
  const end = at + length;
  if (end > bytes.length) throw new DerError('an element is longer than its container');
  return { node: { tag, bytes: bytes.subarray(start, end), content: bytes.subarray(at, end) }, end };
}

/** Returns the single element in `bytes`. @throws {DerError} */
export function readDer(bytes: Uint8Array, tag?: number): Der {
  const { node, end } = readAt(bytes, 0);
  if (end !== bytes.length) throw new DerError('the element has trailing data');
  return tag === undefined ? node : expectTag(node, tag);
}

export function expectTag(node: Der | undefined, tag: number): Der {
  if (node?.tag !== tag)
    throw new DerError(`expected tag ${tag.toString(16)}, found ${node ? node.tag.toString(16) : 'nothing'}`);
  return node;
}

/** Returns the elements inside a constructed one. @throws {DerError} */
export function childrenOf(node: Der): Der[] {
  if ((node.tag & 0x20) === 0) throw new DerError('the element has no children');
  const children: Der[] = [];
  for (let at = 0; at < node.content.length;) {
    const { node: child, end } = readAt(node.content, at);
    children.push(child);
    at = end;
  }
  return children;
}

export const sequenceOf = (node: Der | undefined): Der[] => childrenOf(expectTag(node, TAG.sequence));

/** Returns the content of a minimal, nonnegative integer without the sign byte. */
export function unsignedOf(node: Der | undefined, tag: number = TAG.integer): Uint8Array {
  const { content } = expectTag(node, tag);
  const [first, second] = content;
  if (first === undefined) throw new DerError('a number is empty');
  if (first >= 0x80) throw new DerError('a number is negative');
  if (first === 0 && second !== undefined) {
    if (second < 0x80) throw new DerError('a number is not in its shortest form');
    return content.subarray(1);
  }
  return content;
}

export function smallNumberOf(node: Der | undefined, tag: number = TAG.integer): number {
  const bytes = unsignedOf(node, tag);
  if (bytes.length > 4) throw new DerError('a number is too large');
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

export function booleanOf(node: Der): boolean {
  const { content } = expectTag(node, TAG.boolean);
  if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff))
    throw new DerError('a boolean is neither TRUE nor FALSE');
  return content[0] === 0xff;
}

/** Returns the bits of a byte-aligned bit string. */
export function wholeBitsOf(node: Der | undefined): Uint8Array {
  const { content } = expectTag(node, TAG.bitString);
  if (content[0] !== 0) throw new DerError('a bit string has unused bits');
  return content.subarray(1);
}

/** Dotted form, such as 1.2.840.113741.1.13.1. */
export function oidOf(node: Der | undefined): string {
  const { content } = expectTag(node, TAG.oid);
  const parts: number[] = [];
  let value = 0;
  let fresh = true;
  for (const byte of content) {
    if (fresh && byte === 0x80) throw new DerError('an object identifier is not in its shortest form');
    value = value * 128 + (byte & 0x7f);
    if (value > 0xffff_ffff) throw new DerError('an object identifier is too large');
    fresh = byte < 0x80;
    if (fresh) {
      if (parts.length === 0) {
        const top = Math.min(2, Math.floor(value / 40));
        parts.push(top, value - 40 * top);
      } else parts.push(value);
      value = 0;
    }
  }
  if (!fresh || parts.length === 0) throw new DerError('an object identifier is truncated');
  return parts.join('.');
}

const TIMES = {
  [TAG.utcTime]: /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/,
  [TAG.generalizedTime]: /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/,
} as const;

export const isTime = (node: Der | undefined): boolean =>
  node?.tag === TAG.utcTime || node?.tag === TAG.generalizedTime;

/** Unix seconds of a UTCTime or GeneralizedTime in RFC 5280 §4.1.2.5 form. */
export function timeOf(node: Der | undefined): number {
  const tag = node?.tag;
  if (!node || (tag !== TAG.utcTime && tag !== TAG.generalizedTime)) throw new DerError('a time is missing');
  const match = TIMES[tag].exec(String.fromCharCode(...node.content.subarray(0, 20)));
  if (!match || node.content.length > 20) throw new DerError('a time is not in the form RFC 5280 requires');
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const full = tag === TAG.utcTime ? (year < 50 ? 2000 : 1900) + year : year;
  const ms = Date.UTC(full, month - 1, day, hour, minute, second);
  const back = new Date(ms);
  // Date.UTC carries out-of-range values over; RFC 5280 doesn't allow leap second 60.
  if (
    back.getUTCMonth() !== month - 1 ||
    back.getUTCDate() !== day ||
    back.getUTCHours() !== hour ||
    back.getUTCMinutes() !== minute ||
    back.getUTCSeconds() !== second
  )
    throw new DerError('a time is invalid');
  return ms / 1000;
}
