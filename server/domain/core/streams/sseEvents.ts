/** A server-sent event with its exact bytes, including the empty line after it. */
export interface SseEvent {
  bytes: Uint8Array;
  /** Null for a comment or an event without data. */
  data: string | null;
}

const LF = 0x0a;
const CR = 0x0d;

/** Initial allocation for a partial event, doubled as needed. */
const FIRST = 4096;

interface EventCutter {
  /** Adds a part of the stream, after the complete events of earlier parts were taken. */
  add(part: Uint8Array): void;
  /**
   * Returns the next complete event; null if there is none yet.
   * @throws {RangeError} if it is too long
   */
  next(): SseEvent | null;
  /** Returns the remainder when the stream has ended; null if empty. */
  rest(): SseEvent | null;
}

/**
 * Splits a stream into its events, regardless of chunking. The events' bytes add up to the stream's. A long
 * event in tiny parts takes time linear in its bytes.
 * @param most maximum bytes per event
 */
export function createEventCutter(most: number): EventCutter {
  let part: Buffer = Buffer.alloc(0);
  let from = 0;
  /** A partial event: its first `size` bytes. */
  let begun = Buffer.alloc(0);
  let size = 0;
  const appendRest = () => {
    const rest = part.subarray(from);
    if (size + rest.length > begun.length) {
      const longer = Buffer.allocUnsafe(Math.max(FIRST, 2 * begun.length, size + rest.length));
      begun.copy(longer, 0, 0, size);
      begun = longer;
    }
    size += rest.copy(begun, size);
    from = part.length;
  };
  /** Readers may keep the event's bytes. */
  const take = (end: number): SseEvent => {
    const taken = event(begun.subarray(0, end));
    begun = Buffer.alloc(0);
    size = 0;
    return taken;
  };
  return {
    add(given) {
      part = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
      from = 0;
    },
    next() {
      if (from === part.length) return null;
      const before = size;
      if (before === 0) {
        const end = endOfEvent(part, from);
        if (end > 0) {
          const found = event(part.subarray(from, end));
          from = end;
          return found;
        }
      }
      appendRest();
      const end = before === 0 ? 0 : endOfEvent(begun.subarray(0, size), Math.max(0, before - 3));
      if (end > 0) {
        from = end - before;
        return take(end);
      }
      if (size > most) throw new RangeError(`An event is longer than ${most} bytes.`);
      return null;
    },
    rest: () => (size > 0 ? take(size) : null),
  };
}

/** Reads a stream as events. @throws {RangeError} for an event longer than `most` */
export async function* sseEvents(
  parts: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<SseEvent, void, undefined> {
  const cutter = createEventCutter(most);
  for await (const part of parts) {
    cutter.add(part);
    for (let found = cutter.next(); found; found = cutter.next()) yield found;
  }
  const last = cutter.rest();
  if (last) yield last;
}

/** @returns the position after the first empty line; 0 without one */
function endOfEvent(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(LF, from); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    const before = bytes[at - 1] === CR ? at - 2 : at - 1;
    if (before < 0 || bytes[before] === LF) return at + 1;
  }
  return 0;
}

function event(bytes: Buffer): SseEvent {
  const text = bytes.toString('utf8');
  // Nearly all events are a single such line.
  if (text.startsWith('data:') && text.indexOf('\n') === text.length - 2 && text.endsWith('\n\n'))
    return { bytes, data: valueIn(text.slice(0, -2)) };
  const data = text
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map(valueIn);
  return { bytes, data: data.length === 0 ? null : data.join('\n') };
}

/** @param line that starts with `data:` */
const valueIn = (line: string): string => line.slice(line[5] === ' ' ? 6 : 5);
