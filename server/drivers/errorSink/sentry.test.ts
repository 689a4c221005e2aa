import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { sentrySink } from './sentry';

const REPORT = Buffer.from('{"event_id":"1"}\n{"type":"event"}\n{}\n');
let service: Server;

/** Cuts the first connections while a request is on them, then accepts. */
async function startService(cuts: number, status = 200): Promise<{ dsn: string; received: string[] }> {
  const received: string[] = [];
  let left = cuts;
  service = createServer((req, res) => {
    if (left-- > 0) return void req.socket.destroy();
    let text = '';
    req.on('data', (chunk) => (text += String(chunk)));
    req.on('end', () => {
      received.push(text);
      res.writeHead(status).end('{}');
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  return { dsn: `http://key@127.0.0.1:${(service.address() as AddressInfo).port}/1`, received };
}

afterEach(() => {
  service.closeAllConnections();
  service.close();
});

const forward = (dsn: string) => sentrySink(dsn).forward({ org: '0', project: '1', region: null }, REPORT);

it('sends a report again when its connection is cut', async () => {
  const { dsn, received } = await startService(1);
  await forward(dsn);
  expect(received).toEqual([REPORT.toString()]);
});

it('fails when every connection is cut', async () => {
  const { dsn, received } = await startService(10);
  await expect(forward(dsn)).rejects.toThrow();
  expect(received).toEqual([]);
});

it('reports a refusal without repeating it', async () => {
  const { dsn, received } = await startService(0, 413);
  await expect(forward(dsn)).rejects.toThrow('413');
  expect(received).toHaveLength(1);
});
