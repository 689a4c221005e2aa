import { randomFillSync } from 'node:crypto';

/**
 * Each system request for random bytes costs as much as hundreds of them, and each HTTP request needs several.
 */
const pool = Buffer.alloc(4096);
let used = pool.length;

/** Returns a few cryptographically random bytes. @param size up to 64 */
export function fewRandomBytes(size: number): Buffer {
  if (!Number.isInteger(size) || size < 1 || size > 64) throw new RangeError('1 to 64 bytes');
  if (used + size > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = Buffer.from(pool.subarray(used, used + size));
  // Never handed out again, and not left in memory.
  pool.fill(0, used, used + size);
  used += size;
  return bytes;
}
