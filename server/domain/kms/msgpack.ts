/**
 * Reads the MessagePack that dstack's attestations use: maps with text keys, lists, text, bytes, integers.
 * Bounded for any guest input; @throws MsgpackError for anything else.
 */
export class MsgpackError extends Error {
  override name = 'MsgpackError';
}

export type Msgpack = null | boolean | number | string | Uint8Array | Msgpack[] | Map<string, Msgpack>;

const MAX_DEPTH = 16;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function readMsgpack(bytes: Uint8Array): Msgpack {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (reader.at !== bytes.length) throw new MsgpackError('something follows the value');
  return value;
}

class Reader {
  at = 0;
  readonly #view: DataView;
  constructor(private readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  value(depth: number): Msgpack {
    if (depth > MAX_DEPTH) throw new MsgpackError('it is nested too deeply');
    const tag = this.#number(1);
    if (tag < 0x80) return tag;
    if (tag < 0x90) return this.#map(tag & 0x0f, depth);
    if (tag < 0xa0) return this.#list(tag & 0x0f, depth);
    if (tag < 0xc0) return this.#text(tag & 0x1f);
    if (tag >= 0xe0) return tag - 0x100;
    switch (tag) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#take(this.#number(1 << (tag - 0xc4)));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#number(1 << (tag - 0xcc));
      case 0xcf: {
        const value = this.#number(4) * 2 ** 32 + this.#number(4);
        if (!Number.isSafeInteger(value)) throw new MsgpackError('a number is too large');
        return value;
      }
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#number(1 << (tag - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#list(this.#number(tag === 0xdc ? 2 : 4), depth);
      case 0xde:
      case 0xdf:
        return this.#map(this.#number(tag === 0xde ? 2 : 4), depth);
      default:
        throw new MsgpackError(`it has a value of kind 0x${tag.toString(16)}`);
    }
  }

  #take(length: number): Uint8Array {
    if (length > this.bytes.length - this.at) throw new MsgpackError('it is cut off');
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  #number(length: number): number {
    const from = this.at;
    this.#take(length);
    if (length === 1) return this.#view.getUint8(from);
    return length === 2 ? this.#view.getUint16(from) : this.#view.getUint32(from);
  }

  #text(length: number): string {
    const bytes = this.#take(length);
    try {
      return utf8.decode(bytes);
    } catch {
      throw new MsgpackError('a text is not UTF-8');
    }
  }

  #list(length: number, depth: number): Msgpack[] {
    // Every item takes at least one byte: reject a longer length before allocating memory for it.
    if (length > this.bytes.length - this.at) throw new MsgpackError('it is cut off');
    return Array.from({ length }, () => this.value(depth + 1));
  }

  #map(length: number, depth: number): Map<string, Msgpack> {
    const map = new Map<string, Msgpack>();
    for (let i = 0; i < length; i++) {
      const key = this.value(depth + 1);
      if (typeof key !== 'string') throw new MsgpackError('a key is not text');
      // Readers differ in which of the two they keep.
      if (map.has(key)) throw new MsgpackError('a key occurs twice');
      map.set(key, this.value(depth + 1));
    }
    return map;
  }
}
