import { describe, expect, it } from 'vitest';
import { eventsOf } from './chat';

const encoder = new TextEncoder();
const TEXT = 'data: {"a":"grüße 🦊"}\r\n\r\ndata: second\n\n: a comment\n\ndata: [DONE]\n\n';

/** Streams the text's bytes in chunks of this size. */
function inPieces(size: number): ReadableStream<Uint8Array> {
  const bytes = encoder.encode(TEXT);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

describe('the events of an answer', () => {
  it.each([1, 2, 3, 7, 1000])('are the same if the bytes arrive in chunks of %i', async (size) => {
    const found: string[] = [];
    for await (const data of eventsOf(inPieces(size))) found.push(data);
    expect(found).toEqual(['{"a":"grüße 🦊"}', 'second', '[DONE]']);
  });
});
