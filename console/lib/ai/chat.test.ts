import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventsOf, streamChat, type ChatTurn } from './chat';
import type { ChatSettings } from './chatSettings';

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

describe('a request', () => {
  afterEach(() => void vi.unstubAllGlobals());
  const sent = async (change: { settings?: ChatSettings; messages?: ChatTurn[] }) => {
    const bodies: unknown[] = [];
    vi.stubGlobal('fetch', (_url: string, { body }: RequestInit) => {
      bodies.push(JSON.parse(body as string));
      return Promise.resolve(
        new Response('data: [DONE]\n\n', { headers: { 'content-type': 'text/event-stream' } }),
      );
    });
    await streamChat({
      base_url: 'https://cloud.example.com/v1',
      key: 'thk_ai_1',
      model: 'teehouse/echo',
      messages: [],
      settings: {},
      signal: new AbortController().signal,
      onReceipt: () => undefined,
      onId: () => undefined,
      onText: () => undefined,
      ...change,
    });
    return bodies[0];
  };

  it('has only the settings that were entered, zero included', async () => {
    const settings = { max_tokens: 8, temperature: 0, top_p: 0.5, stop: ['END'], seed: 7 };
    expect(await sent({ settings })).toMatchObject(settings);
    expect(Object.keys((await sent({})) as object)).toEqual([
      'model',
      'messages',
      'stream',
      'stream_options',
    ]);
  });

  it('has images as parts of their message, after its text', async () => {
    const url = 'data:image/png;base64,AAAA';
    const messages: ChatTurn[] = [
      { role: 'user', content: 'What is this?', images: [url] },
      { role: 'assistant', content: 'A cat.' },
      { role: 'user', content: 'Sure?', images: [] },
    ];
    expect(await sent({ messages })).toMatchObject({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
        { role: 'assistant', content: 'A cat.' },
        { role: 'user', content: 'Sure?' },
      ],
    });
  });
});
