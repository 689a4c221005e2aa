import { createHash } from 'node:crypto';
import type { PublicIdPrefix } from '../domain/core/publicId';

/** Pseudorandom values that are the same in each demo. */

interface Random {
  /** From 0 up to 1, exclusive. */
  next(): number;
  /** An integer between both, inclusive. */
  whole(from: number, to: number): number;
  pick<T>(list: readonly T[]): T;
}

/** Mulberry32: 32 bits of state, good enough for sample data, and ten lines. */
export function createRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE();
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick(list) {
      const picked = list[Math.floor(next() * list.length)];
      if (picked === undefined) throw new Error('there is nothing to pick from');
      return picked;
    },
  };
}

/** The first hex digits of a name's hash, at most 64. */
export const demoHex = (name: string, digits: number): string =>
  createHash('sha256').update(`teehouse demo/${name}`).digest('hex').slice(0, digits);

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** A public ID in the format of `publicId`, always the same for a name. */
export function demoId(prefix: PublicIdPrefix, name: string): string {
  const bytes = Buffer.from(demoHex(`${prefix}/${name}`, 32), 'hex');
  return `${prefix}_${[...bytes].map((byte) => ALPHABET[byte & 31]).join('')}`;
}

/** A UUID (version 4 in form), always the same for a name. */
export function demoUuid(name: string): string {
  const hex = demoHex(`uuid/${name}`, 32);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
