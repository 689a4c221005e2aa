// The subset of CBOR (RFC 8949) used by measurement files: unsigned numbers, byte strings, text, arrays, and
// maps with text keys. Deterministic encoding isn't required, because the bytes were already compared with a
// hash.

export class CborError extends Error {
  override name = 'CborError';
}
export type Cbor = number | string | Uint8Array | Cbor[] | Map<string, Cbor>;

const MAX_DEPTH = 8;
const decoder = new TextDecoder('utf-8', { fatal: true });

class Reader {
  private at = 0;
  constructor(private readonly bytes: Uint8Array) {}

  get done(): boolean {
    return this.at === this.bytes.length;
  }

  private take(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new CborError('it is truncated');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  private argument(info: number): number {
    if (info < 24) return info;
    if (info > 27) throw new CborError('it has an unsupported length');
    const value = this.take(2 ** (info - 24)).reduce((sum, byte) => sum * 256 + byte, 0);
    if (!Number.isSafeInteger(value)) throw new CborError('it has a number that is too large');
    return value;
  }

  read(depth = 0): Cbor {
    if (depth > MAX_DEPTH) throw new CborError('it is nested too deeply');
    const [first = 0] = this.take(1);
    const argument = this.argument(first & 0x1f);
    switch (first >> 5) {
      case 0:
        return argument;
      case 2:
        return this.take(argument);
      case 3:
        return this.text(argument);
      case 4:
        return this.list(argument, depth);
      case 5:
        return this.map(argument, depth);
      default:
        throw new CborError('it has an unsupported value type');
    }
  }

  private text(length: number): string {
    try {
      return decoder.decode(this.take(length));
    } catch (error) {
      throw error instanceof CborError ? error : new CborError('its text is not UTF-8');
    }
  }

  private list(length: number, depth: number): Cbor[] {
    // Grows with the bytes read, whatever length is declared.
    const items: Cbor[] = [];
    for (let i = 0; i < length; i++) items.push(this.read(depth + 1));
    return items;
  }

  private map(length: number, depth: number): Map<string, Cbor> {
    const map = new Map<string, Cbor>();
    for (let i = 0; i < length; i++) {
      const key = this.read(depth + 1);
      if (typeof key !== 'string' || map.has(key)) throw new CborError('it has a duplicate or non-text key');
      map.set(key, this.read(depth + 1));
    }
    return map;
  }
}

/** @throws {CborError} */
export function readCbor(bytes: Uint8Array): Cbor {
  const reader = new Reader(bytes);
  const value = reader.read();
  if (!reader.done) throw new CborError('it has trailing data');
  return value;
}
