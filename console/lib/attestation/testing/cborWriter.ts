import { concatBytes, utf8 } from '../../bytes';

export type CborValue = number | string | Uint8Array | { [key: string]: CborValue };

function head(major: number, value: number): Uint8Array {
  if (value < 24) return Uint8Array.of((major << 5) | value);
  return value < 256
    ? Uint8Array.of((major << 5) | 24, value)
    : Uint8Array.of((major << 5) | 25, value >> 8, value & 0xff);
}

/** Supports what a measurement file needs: numbers below 65536, text, bytes and maps. */
export function writeCbor(value: CborValue): Uint8Array {
  if (typeof value === 'number') return head(0, value);
  if (value instanceof Uint8Array) return concatBytes(head(2, value.length), value);
  if (typeof value === 'string') return concatBytes(head(3, utf8(value).length), utf8(value));
  const entries = Object.entries(value);
  return concatBytes(
    head(5, entries.length),
    ...entries.flatMap(([key, item]) => [writeCbor(key), writeCbor(item)]),
  );
}
