// Writes DER for the mock PKI. Shares no code with ../der, so that a mistake there can't go unnoticed.

import { concatBytes, utf8 } from '../../bytes';

function tlv(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const content = concatBytes(...parts);
  const { length } = content;
  const header =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  return concatBytes(Uint8Array.from(header), content);
}

export const sequence = (...parts: Uint8Array[]): Uint8Array => tlv(0x30, ...parts);
export const set = (...parts: Uint8Array[]): Uint8Array => tlv(0x31, ...parts);
export const octets = (bytes: Uint8Array): Uint8Array => tlv(0x04, bytes);
export const bits = (bytes: Uint8Array, unused = 0): Uint8Array => tlv(0x03, Uint8Array.of(unused), bytes);
export const boolean = (value: boolean): Uint8Array => tlv(0x01, Uint8Array.of(value ? 0xff : 0));
export const enumerated = (value: number): Uint8Array => tlv(0x0a, Uint8Array.of(value));
export const text = (value: string): Uint8Array => tlv(0x13, utf8(value));
export const context = (n: number, ...parts: Uint8Array[]): Uint8Array => tlv(0xa0 | n, ...parts);

/** Big-endian, nonnegative. */
export function integer(value: number | Uint8Array): Uint8Array {
  let bytes = typeof value === 'number' ? Uint8Array.of(value >> 8, value & 0xff) : value;
  while (bytes.length > 1 && bytes[0] === 0) bytes = bytes.subarray(1);
  return tlv(0x02, (bytes[0] ?? 0) >= 0x80 ? concatBytes(Uint8Array.of(0), bytes) : bytes);
}

export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((value) => {
    const groups = [value & 0x7f];
    for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return tlv(0x06, Uint8Array.from(bytes));
}

/** UTCTime or, from 2050 on, GeneralizedTime, as RFC 5280 requires. */
export function time(seconds: number): Uint8Array {
  const iso = new Date(seconds * 1000).toISOString();
  const digits = `${iso.replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;
  return iso < '2050' ? tlv(0x17, utf8(digits.slice(2))) : tlv(0x18, utf8(digits));
}
