import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { sendStream } from './streams';

/** A reader who takes nothing holds the source still, and is cut; one who is only slow is served to the end. */

let server: Server | undefined;
let socket: Socket | undefined;
afterEach(() => {
  socket?.destroy();
  server?.closeAllConnections();
  server?.close();
});

const CHUNK = randomBytes(64 * 1024);

/** How many chunks were taken from the source, and whether it was let go. */
async function serve(chunks: number) {
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
      stall_ms: 400,
    } as unknown as Parameters<typeof sendStream>[0];
    void sendStream(stream, 'text/plain', source);
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return { seen, socket };
}

it('cuts a reader who takes nothing, and the source is let go', async () => {
  const { seen, socket } = await serve(100_000);
  socket.pause();
  await expect.poll(() => seen.left, { timeout: 10_000 }).toBe(true);
  // What the operating system and the pipe hold, and not what there is.
  expect(seen.taken).toBeLessThan(1_000);
});

it('serves a slow reader to the end', async () => {
  const { seen, socket } = await serve(120);
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    socket.pause();
    setTimeout(() => socket.resume(), 10);
  });
  await expect.poll(() => bytes, { timeout: 30_000 }).toBeGreaterThan(120 * CHUNK.length);
  expect(seen).toEqual({ taken: 120, left: true });
});
