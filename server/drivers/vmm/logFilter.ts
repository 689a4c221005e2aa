import type { ByteStream } from './index';

const HEARTBEAT = Buffer.from('[vmm heartbeat]\n');

/**
 * Removes the line that dstack-vmm writes into a followed log after 60 s of silence. Works on bytes: a chunk may end
 * inside a character or inside the heartbeat. Nothing else is held back, so an unfinished line (a prompt on the
 * serial console) passes immediately.
 */
export async function* withoutHeartbeats(source: ByteStream): AsyncGenerator<Uint8Array> {
  let atLineStart = true;
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const arrived = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    // Alone in its chunk, it is a heartbeat even after an unfinished line: the host wrote it after a silence.
    if (held.length === 0 && arrived.equals(HEARTBEAT)) continue;
    const rest = held.length === 0 ? arrived : Buffer.concat([held, arrived]);
    held = Buffer.alloc(0);
    const kept: Buffer[] = [];
    let from = 0;
    let at = 0;
    while (at < rest.length) {
      if (atLineStart && beginsLike(rest, at)) {
        kept.push(rest.subarray(from, at));
        if (rest.length - at < HEARTBEAT.length) {
          held = rest.subarray(at);
          from = at = rest.length;
          break;
        }
        from = at += HEARTBEAT.length;
        continue;
      }
      const newline = rest.indexOf(0x0a, at);
      atLineStart = newline !== -1;
      at = newline === -1 ? rest.length : newline + 1;
    }
    kept.push(rest.subarray(from));
    const out = kept.length === 1 ? kept[0]! : Buffer.concat(kept);
    if (out.length > 0) yield out;
  }
  if (held.length > 0) yield held;
}

/** Returns whether the bytes from `at` on are a heartbeat, or could become one. */
function beginsLike(bytes: Buffer, at: number): boolean {
  const length = Math.min(HEARTBEAT.length, bytes.length - at);
  return bytes.compare(HEARTBEAT, 0, length, at, at + length) === 0;
}
