import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { sendStream } from './streams';

/** A reader that stops reading pauses the source and is disconnected; a slow reader is served to the end. */

let server: Server | undefined;
let socket: Socket | undefined;
afterEach(() => {
  vi.useRealTimers();
  socket?.destroy();
  server?.closeAllConnections();
  server?.close();
});

const CHUNK = randomBytes(64 * 1024);
/** A reader that reads nothing for this long is disconnected. */
const STALL_MS = 400;

/** How many chunks were read from the source, and whether it was closed. */
async function serve(chunks: number, until?: AbortSignal) {
  const seen = { taken: 0, left: false };
  const app = express();
  app.get('/', (req, res) => {
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const source = (async function* () {
      try {
        for (; seen.taken < chunks; seen.taken++) yield CHUNK;
      } finally {
        seen.left = true;
      }
    })();
    const stream = {
      services: { events: { onAccess: () => () => undefined } },
      spec: { path: '/' },
      ctx: { signal: gone.signal, log: pino({ level: 'silent' }), caller: {} },
      reader: { subject: {}, stillAllowed: () => Promise.resolve(true) },
      req,
      res,
      until,
      stall_ms: STALL_MS,
    } as unknown as Parameters<typeof sendStream>[0];
    void sendStream(stream, 'text/plain', source);
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  return { seen, socket };
}

it('disconnects a reader that stops reading, and closes the source', async () => {
  const { seen, socket } = await serve(100_000);
  socket.pause();
  await expect.poll(() => seen.left, { timeout: 10_000 }).toBe(true);
  // Limited by the operating system's buffers and the pipe, not by the source's size.
  expect(seen.taken).toBeLessThan(1_000);
});

it('disconnects a reader whose time is up, even while nothing more can be written', async () => {
  const time = new AbortController();
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const { seen, socket } = await serve(100_000, time.signal);
  socket.pause();
  await expect.poll(() => seen.taken).toBeGreaterThan(0);
  time.abort();
  await expect.poll(() => seen.left, { timeout: 10_000 }).toBe(true);
  const closed = once(socket, 'close');
  socket.resume();
  await closed;
});

it('serves a slow reader to the end', async () => {
  // The clock advances with reads, so that a busy machine doesn't slow the reader further.
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  const chunks = 1_000;
  const started = Date.now();
  const { seen, socket } = await serve(chunks);
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // The system's buffers let the sender write in bursts of up to a few megabytes; these fit between two checks.
    vi.advanceTimersByTime((STALL_MS * 5 * chunk.length) / (chunks * CHUNK.length));
  });
  await once(socket, 'end');
  expect(seen).toEqual({ taken: chunks, left: true });
  expect(bytes).toBeGreaterThan(chunks * CHUNK.length);
  expect(Date.now() - started).toBeGreaterThan(STALL_MS * 2);
});
