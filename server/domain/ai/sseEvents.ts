/** A server-sent event with its exact bytes, the empty line after it included. */
export interface SseEvent {
  bytes: Uint8Array;
  /** Null for a comment or an event without data. */
  data: string | null;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Cuts a stream into its events, however its parts are cut. The events' bytes add up to the stream's.
 * @throws {RangeError} for an event longer than `most`
 */
export async function* sseEvents(
  parts: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<SseEvent, void, undefined> {
  let held = Buffer.alloc(0);
  /** Up to here `held` has no end of an event. */
  let seen = 0;
  for await (const part of parts) {
    held = held.length === 0 ? Buffer.from(part) : Buffer.concat([held, part]);
    for (let end = endOfEvent(held, seen); end > 0; end = endOfEvent(held, 0)) {
      yield event(held.subarray(0, end));
      held = held.subarray(end);
      seen = 0;
    }
    if (held.length > most) throw new RangeError(`An event is longer than ${most} bytes.`);
    seen = Math.max(0, held.length - 3);
  }
  if (held.length > 0) yield event(held);
}

/** @returns the place after the first empty line; 0 without one */
function endOfEvent(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    const before = bytes[at - 1] === CR ? at - 2 : at - 1;
    if (before < 0 || bytes[before] === LF) return at + 1;
  }
  return 0;
}

function event(bytes: Buffer): SseEvent {
  const data = bytes
    .toString('utf8')
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''));
  return { bytes, data: data.length === 0 ? null : data.join('\n') };
}
