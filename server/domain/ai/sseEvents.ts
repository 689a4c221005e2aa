/** A server-sent event with its exact bytes, the empty line after it included. */
export interface SseEvent {
  bytes: Uint8Array;
  /** Null for a comment or an event without data. */
  data: string | null;
}

const LF = 0x0a;
const CR = 0x0d;

/** What is allocated for an event that is cut, before it is doubled. */
const FIRST = 4096;

/**
 * Cuts a stream into its events, however its parts are cut. The events' bytes add up to the stream's. A long event in tiny
 * parts takes no more work than its bytes.
 * @throws {RangeError} for an event longer than `most`
 */
export async function* sseEvents(
  parts: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<SseEvent, void, undefined> {
  /** An event that isn't complete: its first `size` bytes. */
  let begun = Buffer.alloc(0);
  let size = 0;
  const append = (part: Buffer) => {
    if (size + part.length > begun.length) {
      const longer = Buffer.allocUnsafe(Math.max(FIRST, 2 * begun.length, size + part.length));
      begun.copy(longer, 0, 0, size);
      begun = longer;
    }
    size += part.copy(begun, size);
  };
  for await (const given of parts) {
    let part = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    if (size > 0) {
      const before = size;
      append(part);
      const end = endOfEvent(begun.subarray(0, size), Math.max(0, before - 3));
      part = part.subarray(end > 0 ? end - before : part.length);
      if (end > 0) {
        yield event(begun.subarray(0, end));
        // A reader of the event may keep its bytes.
        begun = Buffer.alloc(0);
        size = 0;
      }
    }
    let from = 0;
    for (let end = endOfEvent(part, 0); end > 0; end = endOfEvent(part, from)) {
      yield event(part.subarray(from, end));
      from = end;
    }
    if (from < part.length) append(part.subarray(from));
    if (size > most) throw new RangeError(`An event is longer than ${most} bytes.`);
  }
  if (size > 0) yield event(begun.subarray(0, size));
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
