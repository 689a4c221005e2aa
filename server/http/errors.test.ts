import express from 'express';
import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { sendProblem } from './errors';

/** Thrown, and logged, when a client disconnects before the response. */
async function logWhenLeft(thrown: Error): Promise<string[]> {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const app = express();
  let arrived: (res: ServerResponse) => void;
  const inside = new Promise<ServerResponse>((resolve) => (arrived = resolve));
  app.get('/', (_req, res) => arrived(res));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  asked.on('error', () => undefined).end();
  const res = await inside;
  const closed = once(res, 'close');
  asked.destroy();
  await closed;
  sendProblem(res as express.Response, thrown, log);
  server.close();
  return lines;
}

it("doesn't log a client's disconnect as an error", async () => {
  expect(await logWhenLeft(new DOMException('The request has ended', 'AbortError'))).toEqual([]);
});

it('still logs an error that occurs after the client disconnected', async () => {
  expect(await logWhenLeft(new TypeError('undefined is not a function'))).toEqual([
    expect.stringContaining('undefined is not a function'),
  ]);
});
